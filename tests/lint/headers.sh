#!/usr/bin/env bash
# Every internal header compiles on its own; of the public ones public-headers.sh asks more. What a source includes before all else has been shown
# to by the build.
#   headers.sh SOURCES MPI-FOLDERS [OPENMM-FOLDERS]   where third-party headers of doors are, beside the compiler's own folders;
#   FOLDER;FOLDER..., none: not in this build
set -u
cd "$1/src" || exit 1
includes=()
IFS=';' read -ra folders <<<"$2;${3:-}"
for folder in "${folders[@]}"; do
    [ "$folder" = none ] || includes+=(-isystem "$folder")
done
failed=0
said=$(mktemp)
shown=$(grep -rhm1 '^#include' --include='*.c' . | sed -n 's/^#include "\(.*\)"$/\1/p' | sort -u)
for header in $(find . -path ./include -prune -o -name '*.h' -print | sed 's|^\./||' | sort | comm -23 - <(printf '%s\n' "$shown")); do
    if [[ $header =~ ^forces/openmm/(door|engine|internal)\.h$ ]] && [ $# -lt 3 ]; then
        echo "SKIPPED: $header, this build has no OpenMM"
        continue
    fi
    if [ "$header" = base/communicator_mpi.h ] && [ "$2" = none ]; then
        echo "SKIPPED: $header, this build has no MPI"
        continue
    fi
    if ! echo "#include \"$header\"" | ${CC:-cc} -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-unused-function \
        -I. -Iinclude "${includes[@]}" -fsyntax-only -x c - 2>"$said"; then
        echo "src/$header does not compile on its own:"
        head -5 "$said"
        failed=1
    fi
done
rm -f "$said"
exit $failed
