#!/usr/bin/env bash
# Pages of the studies of those examples that report.sh leaves out, each cut short.
. "$(dirname "$0")/support.sh"
need_shared
names="double-basin lao lao-closing lao-wells adk"
RUNS=$work/pages CARDO=$cardo CARDO_PDB_DIR=$shared/pdb "$source_tree/examples/pages.sh" --quick $names >pages.out 2>pages.err || failures=$((failures + 1))
says pages.out '^5 pages'
for name in $names; do
    check test -s pages/$name.html -a "$(stat -c %s pages/$name.html)" -lt 2000000
done
says pages.out 'lao.html: 4 runs'
finish
