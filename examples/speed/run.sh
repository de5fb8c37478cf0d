#!/usr/bin/env bash
# LAO on all cores, one after the other: Cardo along the screw with OBC2 and all pairs, OpenMM with the same energy for all atoms, and MMB
# with two rigid stretches in vacuum, where those are installed (Debian: python3-simtk, mmb). Prints one table.
#   examples/speed/run.sh [STEPS OF CARDO [STEPS OF OPENMM]]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
cardo=${CARDO:-$top/build/release/cardo}
runs=$top/runs/speed
steps=${1:-2000}
their_steps=${2:-50}
mkdir -p "$runs/mmb"
export CARDO_PDB_DIR=$runs:${CARDO_PDB_DIR:-${CARDO_SHARED:-$top/../shared}/pdb}

find_structure() {
    local folder
    for folder in ${CARDO_PDB_DIR//:/ }; do
        [ -e "$folder/$1" ] && echo "$folder/$1" && return
    done
    echo "$1 is not in CARDO_PDB_DIR=$CARDO_PDB_DIR; get it with: cardo fetch --format pdb 2lao 1lst" >&2
    return 1
}
open=$(find_structure 2lao.pdb) || exit 1
prepared=$runs/2lao_prepared.pdb
[ -e "$prepared" ] || $cardo prepare "$open" --out "$prepared" >"$runs/prepare.log" 2>&1

# Verlet at its largest stable step: 600 fs.
$cardo simulate "$top/examples/lao/lao.xml" --out "$runs/cardo" --force --set simulate.integrator=verlet \
    --set simulate.timestep="600 fs" --set simulate.steps="$steps" --set simulate.report-interval=100 \
    --set simulate.trajectory-interval=100 >"$runs/cardo.log" 2>"$runs/cardo.err"
ours=$(sed -n 's/^done .* \([0-9.e+]*\) ns\/day.*/\1/p' "$runs/cardo.log")

theirs="not installed"
if /usr/bin/python3 -c 'import openmm' 2>/dev/null; then
    theirs=$(/usr/bin/python3 "$here/cartesian.py" "$prepared" "$their_steps" | sed 's/.* \([0-9.e+-]*\) ns\/day/\1/')
fi

# MMB takes the structure, with a chain's name, as the result of stage 1. It reads much before it begins: the longer run's time less the shorter's counts.
mmb_seconds() {
    local start
    printf '%s\n' 'firstStage 2' 'lastStage 2' 'loadSequencesFromPdb' "reportingInterval $1" 'numReportingIntervals 1' \
        'setDefaultMDParameters' 'mobilizer Rigid A 1 89' 'mobilizer Rigid A 94 190' >commands.dat
    sed -nE '/^ATOM/s/^(.{21}) /\1A/p' "$prepared" >last.1.pdb
    start=$(date +%s.%N)
    MMB -c commands.dat >mmb.log 2>&1 || return 1
    echo "$(date +%s.%N) - $start" | bc
}
mmb="not installed"
if command -v MMB >/dev/null && [ -e /usr/share/mmb/parameters.csv ]; then
    cd "$runs/mmb"
    ln -sf /usr/share/mmb/parameters.csv .
    if short=$(mmb_seconds 0.02) && long=$(mmb_seconds 0.12); then
        mmb=$(awk -v s="$short" -v l="$long" 'BEGIN { printf "%.3g", 0.0001 * 86400 / (l - s) }')
    else
        mmb="failed: $runs/mmb/mmb.log"
    fi
fi

ratio() {
    awk -v a="$ours" -v b="$1" 'BEGIN { if (b + 0 > 0) printf "%.0f", a / b; else printf "-" }'
}
echo "LAO, 3649 atoms, $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg) at the end"
printf '%-62s %10s %8s\n' "" "ns/day" "Cardo is"
printf '%-62s %10s\n' "Cardo, path model, OBC2, all pairs, Verlet, 600 fs" "$ours"
printf '%-62s %10s %8s\n' "OpenMM, all atoms, OBC2, all pairs, 4 fs, heavy hydrogens" "$theirs" "$(ratio "$theirs") x"
printf '%-62s %10s %8s\n' "MMB, two rigid stretches, vacuum, its own step" "$mmb" "$(ratio "$mmb") x"
grep conserved "$runs/cardo.log"
