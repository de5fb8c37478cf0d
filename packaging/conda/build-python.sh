#!/bin/sh
# The module by the headers and the library of libcardo, which is installed already.
set -eu
work=$(mktemp -d)
"$PYTHON" src/bindings/python/build_extension.py "$work" "$PREFIX/include" "$PREFIX/lib" "$PKG_VERSION" '$ORIGIN/../../..'
rm -f "$work"/cardo/_cardo.c "$work"/cardo/_cardo.o
"$PYTHON" src/bindings/python/stubs.py "$work"
cp -r "$work/cardo" "$SP_DIR/cardo"
rm -rf "$work"
