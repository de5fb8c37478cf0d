#!/usr/bin/env bash
# The library prints nothing: what is to be told goes to a listener, an error or a result, and the program prints it.
set -u
cd "$1/src" || exit 1
print='(^|[^a-z_])(v?printf|puts|putchar|perror) ?\(|(^|[^a-z_])(stdout|stderr)([^a-z_]|$)'
found=$(grep -rnE "$print" . --include='*.[ch]' --include='*.cpp' | grep -vE '^\./cli/|format\(printf')
if [ -n "$found" ]; then
    echo "printed by the library:"
    echo "$found"
    exit 1
fi
