#!/usr/bin/env bash
# Runs the examples' studies and makes a page of each (cardo report): runs/pages/NAME.html.
#   examples/pages.sh [--quick] [--pictures] [NAME...]
#   --quick      a few steps of each: to see that pages come out
#   --pictures   also NAME.png, the top of the page, by headless Chromium
# Examples whose structures are neither in pdb/ nor in CARDO_PDB_DIR are named and left out.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cardo=${CARDO:-$top/build/release/cardo}
runs=${RUNS:-$top/runs/pages}
export CARDO_PDB_DIR=$top/pdb:${CARDO_PDB_DIR:-$top/../shared/pdb}
quick=false pictures=false wanted=()
for word in "$@"; do
    case $word in
    --quick) quick=true ;;
    --pictures) pictures=true ;;
    -*) sed -n '2,6p' "$0" >&2; exit 2 ;;
    *) wanted+=("$word") ;;
    esac
done
mkdir -p "$runs"

# page, study, model, the structure that it needs; options, whose spaces are commas; settings of the shortest run
rows=(
    "mcg simulate mcg/mcg.xml 2mcg_1.pdb - simulate.steps=40"
    "modes modes modes/elbow.xml 2mcg_1.pdb - modes.count=7 modes.against="
    "mixed sample mixed/alanine.xml alanine.pdb - sample.cycles=200"
    "double-basin energy double-basin/lao.xml 2lao.pdb --scan,mobile=-0.4:1.1:301"
    "double-basin simulate double-basin/lao.xml 2lao.pdb - simulate.steps=400"
    "lao energy lao/lao.xml 2lao_prepared.pdb --scan,mobile=-0.1:0.4:26"
    "lao minimize lao/lao.xml 2lao_prepared.pdb - minimize.iterations=5"
    "lao drive lao/lao.xml 2lao_prepared.pdb - drive.steps=5"
    "lao simulate lao/lao.xml 2lao_prepared.pdb - simulate.steps=5"
    "lao-closing drive lao-closing/closing.xml 2lao_prepared.pdb - drive.steps=4"
    "lao-wells sample free-energy/lao.xml 2lao.pdb - sample.steps=60 sample.equilibration=20 sample.bootstrap=5"
    "adk sample free-energy/adk.xml 4ake_A_fixedH.pdb - sample.steps=60 sample.equilibration=20 sample.bootstrap=5"
)

holds() {
    local folder
    for folder in ${CARDO_PDB_DIR//:/ } "$top/examples/$(dirname "$2")"; do
        [ ! -e "$folder/$1" ] || { echo "$folder/$1" && return; }
    done
    return 1
}

export CARDO_PDB_DIR=$runs:$CARDO_PDB_DIR
if [ ! -e "$runs/2lao_prepared.pdb" ] && open=$(holds 2lao.pdb .); then
    "$cardo" prepare "$open" --out "$runs/2lao_prepared.pdb" --quiet >/dev/null
fi
made=0
left_out=
for name in $(printf '%s\n' "${rows[@]}" | cut -d' ' -f1 | uniq); do
    [ ${#wanted[@]} = 0 ] || [[ " ${wanted[*]} " = *" $name "* ]] || continue
    parts=()
    for row in "${rows[@]}"; do
        read -r page study model needs always settings <<<"$row"
        [ "$page" = "$name" ] || continue
        if ! holds "$needs" "$model" >/dev/null; then
            [ "$left_out" = "$name" ] || echo "$name: left out: $needs is not there"
            left_out=$name
            continue
        fi
        options=()
        [ "$always" = - ] || options=(${always//,/ })
        if $quick; then for setting in $settings; do options+=(--set "$setting"); done; fi
        "$cardo" "$study" "$top/examples/$model" --out "$runs/$name-$study" --force "${options[@]}" >"$runs/$name-$study.log"
        parts+=("$runs/$name-$study")
    done
    [ ${#parts[@]} -gt 0 ] || continue
    "$cardo" report "${parts[@]}" -o "$runs/$name.html"
    made=$((made + 1))
    if $pictures; then
        chromium --headless --no-sandbox --disable-dev-shm-usage --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
            --user-data-dir="$runs/browser" --window-size=1100,1150 --virtual-time-budget=30000 --screenshot="$runs/$name.png" \
            "file://$runs/$name.html" >/dev/null 2>&1
    fi
done
echo "$made pages in $runs"
