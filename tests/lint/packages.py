#!/usr/bin/env python3
"""What packaging/debian says agrees with what CMake installs: every file goes into one package, every line of an install list takes one,
the library's package has its name of the SONAME, the versions are the project's, and what is depended on is what is installed for a build.
   packages.py SOURCES BUILD_FOLDER VERSION LIBRARY"""
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# What the distribution's package build needs besides, or has by other names: tools of packaging, compilers, and one of several libcurls.
PACKAGING = {"debhelper-compat", "dh-python", "python3-setuptools", "libcurl4-openssl-dev"}
NOT_FOR_PACKAGES = {"build-essential", "ca-certificates", "libcmocka-dev", "gnuplot-nox", "openmpi-bin", "python3", "libopenmm-plugins", "doxygen", "dpkg-dev",
                    "libopenblas-dev"}


def paragraphs(path):
    """Fields of each paragraph of a control file, joined lines with blanks."""
    found = []
    for block in re.split(r"\n\n+", path.read_text().strip()):
        fields = {}
        for line in block.splitlines():
            if line[0].isspace():
                fields[name] += " " + line.strip()
            else:
                name, value = line.split(":", 1)
                fields[name] = value.strip()
        found.append(fields)
    return found


def names(field):
    """Names of packages in a list of dependencies, the first of alternatives."""
    return {re.split(r"[ :(|]", one.strip())[0] for one in field.split(",") if one.strip()}


def installed(build):
    """Paths that cmake --install writes, as in a package: usr/lib/TRIPLET for the folder of libraries."""
    libdir = re.search(r"^CMAKE_INSTALL_LIBDIR:PATH=(.*)", (build / "CMakeCache.txt").read_text(), re.M)[1]
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["cmake", "--install", build, "--prefix", "/usr"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "DESTDIR": place})
        files = [path.relative_to(place).as_posix() for path in pathlib.Path(place).rglob("*") if not path.is_dir()]
    return sorted(re.sub(f"^usr/{re.escape(libdir)}/", "usr/lib/TRIPLET/", file) for file in files)


def takes(pattern, file):
    return fnmatch.fnmatchcase(file, pattern) or fnmatch.fnmatchcase(file, pattern + "/*")


def main():
    sources, build, version, library = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:5]
    debian = sources / "packaging/debian"
    source, *binaries = paragraphs(debian / "control")
    packages = {one["Package"] for one in binaries}
    wrong = []

    soname = re.search(r"SONAME.*\[lib(.*)\.so\.(.*)\]", subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout)
    if f"lib{soname[1]}{soname[2]}" not in packages:
        wrong.append(f"control has no package lib{soname[1]}{soname[2]}, as the library is lib{soname[1]}.so.{soname[2]}")
    if not re.match(rf"cardo \({re.escape(version)}-", (debian / "changelog").read_text()):
        wrong.append(f"changelog is of another version than {version}")

    lists = {path.name[:-len(".install")]: [line.split()[0] for line in path.read_text().splitlines() if line] for path in sorted(debian.glob("*.install"))}
    wrong += [f"{name}.install: control has no such package" for name in sorted(set(lists) - packages)]
    nowhere = [line for line in (debian / "not-installed").read_text().splitlines() if line]
    files = installed(build)
    for file in files:
        owners = [name for name, patterns in lists.items() if any(takes(pattern, file) for pattern in patterns)]
        if len(owners) + any(takes(pattern, file) for pattern in nowhere) != 1:
            wrong.append(f"{file} goes into {', '.join(owners) or 'no package'}")
    for name, patterns in lists.items():
        # Python's package is installed where a packager says so, and pip does it elsewhere.
        wrong += [f"{name}.install: CMake installs no {pattern}" for pattern in patterns
                  if "python3" not in pattern and not any(takes(pattern, file) for file in files)]

    listed = set(subprocess.run([sources / "cmake/install-dependencies.sh", "--list"], check=True, capture_output=True, text=True,
                                env={name: value for name, value in os.environ.items() if name not in ("OPENMM_DIR", "CONDA_PREFIX")}).stdout.split())
    needed = names(source["Build-Depends"])
    wrong += [f"Build-Depends lacks {name}, which cmake/install-dependencies.sh installs" for name in sorted(listed - NOT_FOR_PACKAGES - needed)]
    everything = set(subprocess.run([sources / "cmake/install-dependencies.sh", "--tests", "--list"], check=True, capture_output=True, text=True).stdout.split())
    wrong += [f"Build-Depends has {name}, which cmake/install-dependencies.sh does not install" for name in sorted(needed - everything - PACKAGING)]

    print("\n".join(wrong) or f"{len(files)} files go into {len(lists)} packages; {len(needed)} packages are built with")
    return 1 if wrong else 0


sys.exit(main())
