"""Compiles the extension module cardo/_cardo from the public headers and libcardo.

    python3 build_extension.py FOLDER INCLUDE_FOLDER LIBRARY_FOLDER VERSION WHERE_THE_LIBRARY_WILL_BE

(none: where the system looks anyway.) FOLDER gets the package as it can be imported: the sources beside this file, and the module."""
import os
import pathlib
import shutil
import sys

import cffi

# The folder above has what all bindings are made from.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import declarations

# Functions of Python that the library calls, and what cffi does not know.
BEFORE = """
typedef int... sig_atomic_t;
"""
PYTHON = """
extern "Python" void cardo_python_say(void *user, cardo_severity severity, const char *about, const char *text);
extern "Python" void cardo_python_progress(void *user, const char *about, long long done, long long of);
extern "Python" cardo_status cardo_python_forces(void *user, cardo_force_evaluation *evaluation, cardo_error *error);
"""


def builder(include, library, place):
    ffi = cffi.FFI()
    ffi.cdef(BEFORE + declarations.declarations(include) + PYTHON)
    ffi.set_source("cardo._cardo", declarations.INCLUDES, libraries=["cardo"],
                   include_dirs=[str(include)], library_dirs=[str(library)], runtime_library_dirs=[] if place == "none" else [place],
                   extra_compile_args=[] if "CFLAGS" in os.environ else ["-O1", "-g0"])  # what packages ask for counts
    return ffi


def main():
    folder, include, library = (pathlib.Path(text).resolve() for text in sys.argv[1:4])
    here = pathlib.Path(__file__).resolve().parent
    shutil.copytree(here / "cardo", folder / "cardo", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "cardo/_version.py").write_text(f'__version__ = "{sys.argv[4]}"\n')
    builder(include, library, sys.argv[5]).compile(tmpdir=str(folder))


if __name__ == "__main__":
    main()
