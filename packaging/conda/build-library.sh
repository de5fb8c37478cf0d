#!/bin/sh
# Library, headers and data of the one build that build-program.sh takes up again.
set -eu
cmake -S . -B build/conda -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
    -DCARDO_TESTS=OFF -DCARDO_BENCHMARKS=OFF -DCARDO_MPI=OFF -DCARDO_SOURCE_DATA= -DOPENMM_INCLUDE_DIR="$PREFIX/include"
cmake --build build/conda
cmake --install build/conda
