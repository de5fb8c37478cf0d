#!/usr/bin/env bash
# Installs a build into a scratch folder, and compiles and runs a program against it, by pkg-config and by CMake.
#   test_install.sh BUILD_FOLDER
set -euo pipefail
build=$1
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix/usr" >/dev/null
other=$(find "$prefix/usr/include" -type f ! -path '*/include/cardo/[a-z]*.h' ! -path '*/include/cardo/cardo.hpp' ! -path '*/include/cardo/cardo.f90')
[ -z "$other" ] && [ -z "$(find "$prefix/usr/include/cardo" -mindepth 1 -type d)" ] || {
    echo "installed beside the public headers: $other"
    exit 1
}
libdir=$(dirname "$(find "$prefix/usr" -name cardo.pc)")/..

cat >"$prefix/user.c" <<'EOF'
#include <cardo/cardo.h>

#include <stdio.h>

int main(void)
{
    const cardo_study *minimize = cardo_study_find("minimize");
    const cardo_field *table[CARDO_STUDY_MOST_TABLES];
    cardo_error error;
    int n;
    if (!minimize || cardo_study_option_tables(minimize, 0, NULL, &n, table, &error) != CARDO_OK)
        return 1;
    printf("minimize: %s; %d tables of options, the first begins with %s\n", cardo_study_doc(minimize), n, table[0]->name);
    return 0;
}
EOF
kind=""
[ -e "$libdir/libcardo.so" ] || kind=--static
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
# shellcheck disable=SC2046
cc -Wall -Werror "$prefix/user.c" -o "$prefix/user" $(pkg-config $kind --cflags --libs cardo)
"$prefix/user"

# The same program in C++ and Fortran, by the layers that were installed.
languages=$(dirname "${BASH_SOURCE[0]}")/../../examples/languages
layers=$prefix/usr/include/cardo
if [ ! -e "$layers/cardo.hpp" ]; then
    echo "SKIPPED: programs in C++ and Fortran, the layers were not made (python3-pycparser)"
else
    # shellcheck disable=SC2046
    c++ -std=c++17 -Wall -Werror "$languages/four_bar.cpp" -o "$prefix/four_bar" $(pkg-config $kind --cflags --libs cardo)
    "$prefix/four_bar" | sed -n 1p
    if command -v gfortran >/dev/null; then
        # shellcheck disable=SC2046
        gfortran -J "$prefix" "$layers/cardo.f90" "$languages/four_bar.f90" -o "$prefix/four_bar_fortran" $(pkg-config $kind --cflags --libs cardo)
        cmp <("$prefix/four_bar") <("$prefix/four_bar_fortran")
    else
        echo "SKIPPED: a program in Fortran, there is no gfortran"
    fi
fi

# Who has an MPI of their own, in C and in C++.
if [ ! -e "$prefix/usr/include/cardo/mpi.h" ] || ! command -v mpicc >/dev/null; then
    echo "SKIPPED: a program with an MPI of its own, this build has none"
else
    cat >"$prefix/host.c" <<'EOF'
#include <cardo/cardo.h>
#include <cardo/mpi.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    double squares[8] = {0};
    char words[64];
    int rank, sum = 0;
    cardo_communicator *communicator = NULL;
    cardo_error error;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (cardo_communicator_from_mpi(MPI_COMM_WORLD, &communicator, &error) != CARDO_OK)
        return 1;
    for (int i = 0; i < 8; ++i)
        if (cardo_communicator_owns(communicator, i))
            squares[i] = i * i;
    cardo_status status = cardo_communicator_share(communicator, squares, sizeof *squares, 8, &error);
    if (rank == 0)
        printf("%s share %g\n", cardo_communicator_describe(communicator, words), squares[7]);
    cardo_communicator_destroy(communicator);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return status != CARDO_OK || squares[7] != 49 || sum != 6;
}
EOF
    cp "$prefix/host.c" "$prefix/host.cpp"
    for compiler in mpicc mpicxx; do
        source=$prefix/host.c
        [ $compiler = mpicc ] || source=$prefix/host.cpp
        # shellcheck disable=SC2046
        $compiler "$source" -o "$prefix/host" $(pkg-config $kind --cflags --libs cardo)
        mpirun --allow-run-as-root --oversubscribe -n 4 "$prefix/host"
    done
fi
unset LD_LIBRARY_PATH

# The examples of users' programs: the free energy along the hinge between two structures, and the same from four ranks.
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cmake -S "$source/examples/library" -B "$prefix/library" -DCMAKE_PREFIX_PATH="$prefix/usr" >/dev/null
cmake --build "$prefix/library" >/dev/null
export CARDO_DATA=$prefix/usr/share/cardo
cd "$prefix"
"$prefix/library/hinge" "$source/pdb/2mcg_1.pdb" "$source/pdb/2mcg_2.pdb" >profile.txt
awk '/^q = [0-9.]+  F = +[0-9.]+ \+- [0-9.]+ kJ\/mol$/ {++n} END {print n " values of a free energy along the hinge"; exit n != 15 || NR != 15}' profile.txt
if [ -e "$prefix/library/ranks" ]; then
    mpirun --allow-run-as-root --oversubscribe -n 4 "$prefix/library/ranks" hinge/hinge.xml >profile.csv
    awk -F, 'NR == 1 {for (k = 1; k <= NF; ++k) at[$k] = k}
             NR > 1 && ($at["sigma (kJ/mol)"] > 0 && $at["F (kJ/mol)"] >= 0) {++n}
             END {print n " values of a free energy from four ranks"; exit !(n > 20 && n == NR - 1)}' profile.csv
fi
cd - >/dev/null

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
