#!/usr/bin/env bash
# Pages of the studies of all examples, each cut short.
. "$(dirname "$0")/support.sh"
need_shared
RUNS=$work/pages CARDO=$cardo CARDO_PDB_DIR=$shared/pdb "$source_tree/examples/pages.sh" --quick >pages.out 2>pages.err || failures=$((failures + 1))
says pages.out '^8 pages'
for name in mcg modes mixed double-basin lao lao-closing lao-wells adk; do
    check test -s pages/$name.html -a "$(stat -c %s pages/$name.html)" -lt 2000000
done
says pages.out 'lao.html: 4 runs'
finish
