#!/usr/bin/env bash
# Installs a build into a scratch folder, and compiles and runs a program against it, by pkg-config and by CMake.
#   test_install.sh BUILD_FOLDER
set -euo pipefail
build=$1
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix/usr" >/dev/null
libdir=$(dirname "$(find "$prefix/usr" -name cardo.pc)")/..

cat >"$prefix/user.c" <<'EOF'
#include "cardo.h"

#include <stdio.h>

int main(void)
{
    cardo_openmm_options options = cardo_openmm_options_default();
    char *text = NULL;
    if (cardo_openmm_describe(&text, NULL) != CARDO_OK)
        return 1;
    printf("%s, platform %s\n", text, options.platform);
    cardo_free(text);
    return 0;
}
EOF
kind=""
[ -e "$libdir/libcardo.so" ] || kind=--static
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
# shellcheck disable=SC2046
cc -Wall -Werror "$prefix/user.c" -o "$prefix/user" $(pkg-config $kind --cflags --libs cardo)
"$prefix/user"
unset LD_LIBRARY_PATH

cp "$prefix/user.c" "$prefix/user.cpp"
cat >"$prefix/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.21)
project(user C CXX)
find_package(cardo REQUIRED)
add_executable(user_c user.c)
add_executable(user_cxx user.cpp)
target_link_libraries(user_c cardo::cardo)
target_link_libraries(user_cxx cardo::cardo)
EOF
cmake -S "$prefix" -B "$prefix/build" -DCMAKE_PREFIX_PATH="$prefix/usr" >/dev/null
cmake --build "$prefix/build" >/dev/null
"$prefix/build/user_c"
"$prefix/build/user_cxx"

cd /
CARDO_DATA=$prefix/usr/share/cardo "$prefix/usr/bin/cardo" --version
