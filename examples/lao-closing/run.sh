#!/usr/bin/env bash
# LAO-binding protein, led from open to closed at 300 K, and what is left of the energy when the way is cooled down.
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

# From eleven moments of the way, the first before it begins and the last long after it has ended, to the minimum of the
# energy in all coordinates but q.
python3 "$here/moments.py" "$runs/driven/trajectory.csv" "$runs"
: >"$runs/near.txt"
for k in 0 1 2 3 4 5 6 7 8 9 10; do
    q=$(python3 -c "print($k / 10)")
    $cardo drive "$here/closing.xml" --from "$runs/moment$k.csv" --out "$runs/cooled$k" --force --quiet \
        --set drive.mode=quasi-static --set drive.motion=ramp --set drive.from="$q" --set drive.to="$q" --set drive.steps=1 \
        --set drive.iterations=1000 --set drive.tolerance=3 --set drive.trajectory-interval=1 --set drive.report-interval=1
    python3 "$here/distances.py" "$runs/cooled$k/trajectory.pdb" | tail -1 >>"$runs/near.txt"
done
python3 "$here/table.py" "$runs"
! command -v gnuplot >/dev/null || gnuplot -e "table='$runs/closing.csv'; picture='$runs/closing.png'" "$here/closing.gp"
