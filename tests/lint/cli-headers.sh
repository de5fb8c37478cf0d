#!/usr/bin/env bash
# What the program needs, a user has: src/cli includes public headers alone. The number of those that it still includes beside them
# may only go down (lower it when it has); at 0 this test becomes a build of the program against an installed library.
set -u
most=20
cd "$1/src/cli" || exit 1
found=$(grep -rhoE '^ *# *include "[^"]+"' . --include='*.[ch]' | grep -vE '"(cli|cardo)/' | sort | uniq -c | sort -rn)
count=$(awk '{n += $1} END {print n + 0}' <<<"$found")
echo "$count includes of internal headers, at most $most"
if [ "$count" -gt $most ]; then
    echo "$found"
    exit 1
fi
