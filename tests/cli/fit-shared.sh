#!/usr/bin/env bash
# cardo fit: LAO's residual.
. "$(dirname "$0")/support.sh"
need_shared
export CARDO_PDB_DIR="$shared/pdb"
run 0 fit "$source_tree/examples/lao/lao-crystal.xml" "$shared/pdb/1lst.pdb" --json
json out "abs(d['frames'][0]['rmsd_A'] - 0.474) < 0.003"
json out "abs(d['frames'][0]['q']['mobile'] - 1) < 1e-3"
run 0 fit "$source_tree/examples/lao/lao-crystal.xml" "$shared/pdb/2lao.pdb" --json
json out "d['frames'][0]['rmsd_A'] < 1e-6 and abs(d['frames'][0]['q']['mobile']) < 1e-8"
finish
