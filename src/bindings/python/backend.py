"""What pip builds the package with (PEP 517): libcardo by CMake, the module by cffi, both with Cardo's data in one wheel.

    pip install .                                        # where what cmake/install-dependencies.sh installs is
    CARDO_BUILD=build/release pip install --no-build-isolation --no-deps .      # from a build that is there

The library in the wheel stands on the machine's own OpenMM, NetCDF and so on: the wheel is for the machine that made it."""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = ROOT / "src/bindings/python"


def version():
    return re.search(r"project\(cardo VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def metadata():
    return (f"Metadata-Version: 2.1\nName: cardo\nVersion: {version()}\nSummary: Domain-hinge dynamics of proteins in internal coordinates\n"
            "License: MIT\nRequires-Python: >=3.9\nRequires-Dist: numpy\nRequires-Dist: cffi\n")


def tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def get_requires_for_build_wheel(config_settings=None):
    return ["cffi", "pycparser", "setuptools"]


def get_requires_for_build_sdist(config_settings=None):
    return []


def built():
    """The folder of a build of the library."""
    if "CARDO_BUILD" in os.environ:
        return pathlib.Path(os.environ["CARDO_BUILD"])
    folder = ROOT / "build/pip"
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCARDO_TESTS=OFF", "-DCARDO_BENCHMARKS=OFF")
    run("cmake", "--build", folder)
    return folder


def run(*words):
    subprocess.run([str(word) for word in words], check=True, stdout=sys.stderr)


def package(folder):
    """Writes the package as it is installed into a folder: modules, lib/libcardo.so.X, share/cardo."""
    with tempfile.TemporaryDirectory() as place:
        installed = pathlib.Path(place)
        run("cmake", "--install", built(), "--prefix", installed)
        library = min(installed.rglob("libcardo.so.*"), key=lambda path: len(path.name))
        run(sys.executable, "-B", HERE / "build_extension.py", folder, installed / "include", library.parent, version(), "$ORIGIN/lib")
        target = folder / "cardo"
        for made in target.glob("_cardo.[co]"):
            made.unlink()
        (target / "lib").mkdir()
        shutil.copy(library.resolve(), target / "lib" / library.name)
        shutil.copytree(installed / "share/cardo", target / "share/cardo")
    run(sys.executable, "-B", HERE / "stubs.py", folder)


def write_information(folder):
    """The folder that says what the package is, without the list of its files; returns its name."""
    name = f"cardo-{version()}.dist-info"
    information = pathlib.Path(folder) / name
    information.mkdir()
    (information / "METADATA").write_text(metadata())
    (information / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: cardo\nRoot-Is-Purelib: false\nTag: {tag()}\n")
    shutil.copy(ROOT / "LICENSE", information)
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    return write_information(metadata_directory)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        package(folder)
        information = write_information(folder)
        wheel = pathlib.Path(wheel_directory) / f"cardo-{version()}-{tag()}.whl"
        record = f"{information}/RECORD"
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
            lines = []
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                inside, content = path.relative_to(folder).as_posix(), path.read_bytes()
                archive.write(path, inside)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                lines.append(f"{inside},sha256={digest},{len(content)}")
            archive.writestr(record, "\n".join([*lines, f"{record},,", ""]))
    return wheel.name


def build_sdist(sdist_directory, config_settings=None):
    """All that git knows, as it stands in the working tree."""
    name = f"cardo-{version()}"
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout.split("\0")
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for file in filter(None, files):
            archive.add(ROOT / file, f"{name}/{file}")
        with tempfile.TemporaryDirectory() as place:
            (pathlib.Path(place) / "PKG-INFO").write_text(metadata())
            archive.add(pathlib.Path(place) / "PKG-INFO", f"{name}/PKG-INFO")
    return f"{name}.tar.gz"
