#!/usr/bin/env bash
# Free energies of two proteins' closing, by every method of cardo sample.
#   examples/free-energy/run.sh [lao] [adk] [lao-atomistic] [-- cardo sample options]
# lao and adk, in two wells, unless told otherwise. Structures come from $CARDO_PDB_DIR, or from the shared folder beside
# the source tree. See README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
shared=${CARDO_SHARED:-$top/../shared}
cardo=${CARDO:-$top/build/release/cardo}
runs=$top/runs/free-energy
pdb=${CARDO_PDB_DIR:-$shared/pdb}

models=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    models+=("$1")
    shift
done
[ $# -gt 0 ] && shift
[ ${#models[@]} -gt 0 ] || models=(lao adk)

# What is other than in the model file: walkers that roam make more steps than windows, and their hills come seldom.
settings() { # model method
    case $1-$2 in
    lao-metadynamics) echo sample.steps=400000 sample.round=500 ;;
    lao-adaptive-force) echo sample.steps=400000 sample.round=500 sample.force-bins=100 ;;
    adk-umbrella) echo sample.steps=300000 ;;
    adk-metadynamics) echo sample.steps=1600000 sample.round=500 ;;
    adk-adaptive-force) echo sample.steps=1600000 sample.round=500 sample.force-bins=100 ;;
    lao-atomistic-umbrella)
        echo sample.windows=12 sample.stiffness=1800 sample.exchange=yes sample.equilibration=2500 sample.steps=7500
        ;;
    lao-atomistic-metadynamics)
        echo sample.walkers=6 sample.height=2 sample.width=0.04 sample.round=200 sample.bias-factor=20 sample.friction=1
        echo sample.discard=0.35 sample.steps=20000
        ;;
    lao-atomistic-adaptive-force) echo sample.walkers=6 sample.strata=yes sample.force-bins=30 sample.steps=9000 ;;
    esac
}

# find_structure NAMES...: the first file of these names that the folders have.
find_structure() {
    local name place
    for name in "$@"; do
        for place in ${pdb//:/ }; do
            [ ! -e "$place/$name" ] || { echo "$place/$name"; return; }
        done
    done
    echo "run.sh: there is no $1 in $pdb; get it with cardo fetch, and name its folder in CARDO_PDB_DIR" >&2
    return 1
}

# One chain with hydrogens under the name that the model has, where the folders lack it.
need_chain_a() { # name, entry
    find_structure "$1" >/dev/null 2>&1 ||
        "$cardo" prepare "$(find_structure "$2.pdb" "$2.cif")" --chains A --out "$folder/$1" --force --quiet
}

for model in "${models[@]}"; do
    folder=$runs/$model
    mkdir -p "$folder"
    export CARDO_PDB_DIR=$folder:$pdb
    # A scan is a free energy where no more than two coordinates vary.
    methods=(scan umbrella metadynamics adaptive-force)
    begin=()
    echo yes >"$folder/exact"
    if [ "$model" = adk ]; then
        need_chain_a 4ake_A_fixedH.pdb 4ake
        need_chain_a 1ake_A.pdb 1ake
    elif [ "$model" = lao-atomistic ]; then
        methods=(umbrella metadynamics adaptive-force)
        echo no >"$folder/exact"
        "$cardo" prepare "$(find_structure 2lao.pdb 2lao.cif)" --out "$folder/2lao_prepared.pdb" --force --quiet
        "$cardo" minimize "$here/$model.xml" --set minimize.iterations=400 --out "$folder/minimum" --force --quiet
        begin=(--from "$folder/minimum/coordinates.csv")
    fi
    for method in "${methods[@]}"; do
        options=()
        for setting in $(settings "$model" "$method"); do
            options+=(--set "$setting")
        done
        TIMEFORMAT=%U
        { time "$cardo" sample "$here/$model.xml" "${begin[@]}" --set sample.method=$method "${options[@]}" \
            --out "$folder/$method" --force "$@" 2>&3; } 3>&2 2>"$folder/$method.seconds"
    done
    python3 "$here/table.py" "$folder" | tee "$folder/table.csv"
    ! command -v gnuplot >/dev/null ||
        gnuplot -e "runs='$folder'; picture='$runs/$model.png'; name='$model'" "$here/compare.gp"
done
