#!/usr/bin/env bash
# LAO-binding protein led from open to closed: how near atoms come with rigid side chains, then with those that give way.
#   examples/lao-closing/run.sh [cardo drive options]
# Structures come from $CARDO_PDB_DIR, or from the shared folder beside the source tree. See README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
shared=${CARDO_SHARED:-$top/../shared}
cardo=${CARDO:-$top/build/release/cardo}
runs=$top/runs/lao-closing
mkdir -p "$runs"
export CARDO_PDB_DIR=$runs:${CARDO_PDB_DIR:-$shared/pdb}

open=
for folder in ${CARDO_PDB_DIR//:/ }; do
    [ -n "$open" ] || [ ! -e "$folder/2lao.pdb" ] || open=$folder/2lao.pdb
done
[ -n "$open" ] || {
    echo "2lao.pdb is not in CARDO_PDB_DIR=$CARDO_PDB_DIR; get it with: cardo fetch --format pdb 2lao 1lst" >&2
    exit 1
}

$cardo prepare "$open" --out "$runs/2lao_prepared.pdb" --force
$cardo info "$here/closing.xml" --clashes --json >"$runs/clashes.json"
$cardo drive "$here/closing.xml" --out "$runs/driven" --force "$@"
python3 "$here/distances.py" "$runs/driven/trajectory.pdb" >"$runs/driven.txt"
python3 - "$runs" <<'PYTHON'
import csv, json, sys
runs = sys.argv[1]
rigid = {c["side_chains"]: c["least_distance_A"] for c in json.load(open(runs + "/clashes.json"))["clashes"]}
near = [line.split()[1] for line in open(runs + "/driven.txt")]
rows = list(csv.DictReader(open(runs + "/driven/trajectory.csv")))
start = float(rows[0]["potential (kJ/mol)"])
with open(runs + "/closing.csv", "w") as out:
    print("q,open (A),best (A),driven (A),energy (kJ/mol)", file=out)
    for k, row in enumerate(rows):
        q = float(row["q mobile"])
        i = round(10 * q)
        print(q, rigid["open"][i], rigid["best"][i], near[k], float(row["potential (kJ/mol)"]) - start, sep=",", file=out)
PYTHON
cat "$runs/closing.csv"
! command -v gnuplot >/dev/null || gnuplot -e "table='$runs/closing.csv'; picture='$runs/closing.png'" "$here/closing.gp"
