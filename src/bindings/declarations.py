"""The public headers as declarations that cffi reads: run through the C preprocessor, with what only a compiler needs taken out.

No declaration stands here a second time. cffi compiles what it read against the headers themselves, so a build fails where the two
differ.

    python3 declarations.py INCLUDE_FOLDER      prints them
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# Of the system's headers these alone are named by ours; cffi knows bool, size_t and FILE.
SYSTEM_HEADERS = ("stdbool.h", "stddef.h", "stdio.h", "signal.h", "stdint.h", "string.h", "math.h", "stdarg.h")

# Functions of Python that the library calls.
CALLBACKS = """
typedef int... sig_atomic_t;
"""
PYTHON = """
extern "Python" void cardo_python_say(void *user, cardo_severity severity, const char *about, const char *text);
extern "Python" void cardo_python_progress(void *user, const char *about, long long done, long long of);
extern "Python" void cardo_python_part(void *user, const struct cardo_result *part);
extern "Python" cardo_status cardo_python_place(void *user, cardo_session *session, cardo_error *error);
extern "Python" cardo_status cardo_python_forces(void *user, cardo_force_evaluation *evaluation, cardo_error *error);
extern "Python" cardo_status cardo_python_observe(void *user, const cardo_frame *frame, cardo_error *error);
"""


def preprocessed(include):
    """All declarations of cardo/cardo.h in the order of their inclusion."""
    with tempfile.TemporaryDirectory() as folder:
        for name in SYSTEM_HEADERS:
            (pathlib.Path(folder) / name).write_text("")
        source = pathlib.Path(folder) / "all.c"
        source.write_text("#include <cardo/cardo.h>\n#include <cardo/manifold.h>\n")
        command = ["cc", "-E", "-P", "-nostdinc", "-D__attribute__(x)=", f"-I{folder}", f"-I{include}", str(source)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def without_bodies(text):
    """Functions that are defined in a header are of the compiler alone."""
    return re.sub(r"static inline [^{;]*\{.*?\n\}", "", text, flags=re.S)


def declarations(include):
    return CALLBACKS + without_bodies(preprocessed(include)) + PYTHON


if __name__ == "__main__":
    sys.stdout.write(declarations(sys.argv[1]))
