"""The public headers as declarations that the bindings are made from: run through the C preprocessor, with what only a compiler needs taken out.

No declaration stands here a second time.

    python3 declarations.py INCLUDE_FOLDER      prints them
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# Of the system's headers these alone are named by ours: of what is in them whoever reads this is to know bool, size_t, FILE and sig_atomic_t.
SYSTEM_HEADERS = ("stdbool.h", "stddef.h", "stdio.h", "signal.h", "stdint.h", "string.h", "math.h", "stdarg.h")
# The headers that hold all of them.
INCLUDES = "#include <cardo/cardo.h>\n#include <cardo/manifold.h>\n"


def preprocessed(include):
    """All declarations of the headers in the order of their inclusion."""
    with tempfile.TemporaryDirectory() as folder:
        for name in SYSTEM_HEADERS:
            (pathlib.Path(folder) / name).write_text("")
        source = pathlib.Path(folder) / "all.c"
        source.write_text(INCLUDES)
        command = ["cc", "-E", "-P", "-nostdinc", "-D__attribute__(x)=", f"-I{folder}", f"-I{include}", str(source)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def without_bodies(text):
    """Functions that are defined in a header are of the compiler alone."""
    return re.sub(r"static inline [^{;]*\{.*?\n\}", "", text, flags=re.S)


def declarations(include):
    return without_bodies(preprocessed(include))


if __name__ == "__main__":
    sys.stdout.write(declarations(sys.argv[1]))
