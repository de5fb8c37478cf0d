"""Compiles the extension module cardo/_cardo from the public headers and libcardo.

    python3 build_extension.py FOLDER INCLUDE_FOLDER LIBRARY_FOLDER VERSION

FOLDER gets the package as it can be imported: the sources beside this file, and the module."""
import pathlib
import shutil
import sys

import cffi

import declarations


def builder(include, library):
    ffi = cffi.FFI()
    ffi.cdef(declarations.declarations(include))
    ffi.set_source("cardo._cardo", "#include <cardo/cardo.h>\n#include <cardo/manifold.h>\n", libraries=["cardo"],
                   include_dirs=[str(include)], library_dirs=[str(library)], runtime_library_dirs=[str(library)],
                   extra_compile_args=["-O2"])
    return ffi


def main():
    folder, include, library = (pathlib.Path(text).resolve() for text in sys.argv[1:4])
    here = pathlib.Path(__file__).resolve().parent
    shutil.copytree(here / "cardo", folder / "cardo", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "cardo/_version.py").write_text(f'__version__ = "{sys.argv[4]}"\n')
    builder(include, library).compile(tmpdir=str(folder))


if __name__ == "__main__":
    main()
