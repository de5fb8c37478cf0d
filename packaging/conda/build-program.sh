#!/bin/sh
# Installs again; conda takes the files that the output lists.
set -eu
[ -d build/conda ] || sh "$RECIPE_DIR/build-library.sh"
cmake --install build/conda
