#!/bin/sh
# The module by the headers and the library of libcardo, which is installed already. It finds that library from where it is installed, so the stubs, for which it is imported, come last.
set -eu
work=$(mktemp -d)
"$PYTHON" src/bindings/python/build_extension.py "$work" "$PREFIX/include" "$PREFIX/lib" "$PKG_VERSION" '$ORIGIN/../../..'
rm -f "$work"/cardo/_cardo.c "$work"/cardo/_cardo.o
cp -r "$work/cardo" "$SP_DIR/cardo"
rm -rf "$work"
"$PYTHON" -B src/bindings/python/stubs.py "$SP_DIR"
