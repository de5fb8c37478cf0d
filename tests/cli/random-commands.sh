#!/usr/bin/env bash
# Random command lines from the option tables, valid names with odd values (random_command_lines.py); 1,000 by name.
. "$(dirname "$0")/support.sh"

lines=80
[ -z "${CARDO_SANITIZE:-}" ] || lines=40
check python3 "$source_tree/tests/cli/random_command_lines.py" "$cardo" "$source_tree" $lines 1
finish
