#!/usr/bin/env bash
# Each public header compiles alone, as C11 and as C++11, without a warning, and includes others of them and the C library only.
#   public-headers.sh SOURCES MPI-FOLDERS    where mpi.h is: FOLDER;FOLDER..., none: not in this build
set -u
cd "$1/src/include" || exit 1
includes=()
IFS=';' read -ra folders <<<"$2"
for folder in "${folders[@]}"; do
    [ "$folder" = none ] || includes+=(-isystem "$folder")
done
failed=0
said=$(mktemp)
library='assert|ctype|errno|float|inttypes|limits|locale|math|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|time'
for header in cardo/*.h; do
    other=$(grep -n '^ *# *include' "$header" | grep -vE "<cardo/[a-z_]+\.h>|<($library)\.h>")
    [ "$header" != cardo/mpi.h ] || other=$(grep -v '<mpi\.h>' <<<"$other")
    if [ -n "$other" ]; then
        echo "src/include/$header includes what a user may not have: $other"
        failed=1
    fi
    if [ "$header" = cardo/mpi.h ] && [ "$2" = none ]; then
        echo "SKIPPED: $header, this build has no MPI"
        continue
    fi
    for language in c c++; do
        compiler="${CC:-cc} -std=c11"
        [ $language = c ] || compiler="${CXX:-c++} -std=c++11"
        if ! printf '#include <%s>\nint main(void) { return 0; }\n' "$header" |
            $compiler -I. "${includes[@]}" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x $language - 2>"$said"; then
            echo "src/include/$header does not compile alone as $language:"
            head -5 "$said"
            failed=1
        fi
    done
done
if grep -LE 'extern "C"' $(grep -l CARDO_API cardo/*.h) | grep -v cardo/export.h; then
    echo 'functions without extern "C"'
    failed=1
fi
rm -f "$said"
exit $failed
