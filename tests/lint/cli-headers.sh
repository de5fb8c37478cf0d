#!/usr/bin/env bash
# What the program needs, a user has: its sources alone, compiled against an installed copy of the library, make it.
#   cli-headers.sh SOURCES BUILD
set -euo pipefail
sources=$1 build=$2
found=$(grep -rnE '^ *# *include "' "$sources/src/cli" --include='*.[ch]' | grep -v '"cli/' || true)
if [ -n "$found" ]; then
    echo "included beside <cardo/...>, what the C library has, and the program's own:"
    echo "$found"
    exit 1
fi
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix/usr" >/dev/null
cp -r "$sources/src/cli" "$prefix/cli"
libdir=$(dirname "$(find "$prefix/usr" -name cardo.pc)")/..
kind=""
[ -e "$libdir/libcardo.so" ] || kind=--static
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
compiler=${CC:-cc}
defines=(-D_GNU_SOURCE '-DCARDO_VERSION="0"' '-DCARDO_REVISION="lint"' '-DCARDO_COMPILER="lint"')
if [ -e "$prefix/usr/include/cardo/mpi.h" ] && command -v mpicc >/dev/null; then
    compiler=mpicc
    defines+=(-DCARDO_HAVE_MPI)
fi
read -ra flags <<<"$(pkg-config $kind --cflags cardo)"
read -ra libraries <<<"$(pkg-config $kind --libs cardo)"
cd "$prefix"
find cli -name '*.c' -print0 | xargs -0 -n 6 -P 4 "$compiler" -std=c17 -O0 -c "${defines[@]}" -I"$prefix" "${flags[@]}"
"$compiler" ./*.o -o program "${libraries[@]}"
./program version >version
head -1 version
