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

# name, study, model, the structure that it needs, its shortest settings
pages=(
    "mcg simulate mcg/mcg.xml 2mcg_1.pdb simulate.steps=40"
    "modes modes modes/elbow.xml 2mcg_1.pdb modes.count=7 modes.against="
    "double-basin simulate double-basin/lao.xml 2lao.pdb simulate.steps=400"
    "lao simulate lao/lao.xml 2lao_prepared.pdb simulate.steps=5"
    "adk sample free-energy/adk.xml 4ake_A_fixedH.pdb sample.steps=60 sample.equilibration=20 sample.bootstrap=5"
)
made=0
for page in "${pages[@]}"; do
    read -r name study model needs settings <<<"$page"
    [ ${#wanted[@]} = 0 ] || [[ " ${wanted[*]} " = *" $name "* ]] || continue
    found=no
    for folder in ${CARDO_PDB_DIR//:/ } "$top/examples/$(dirname "$model")"; do
        [ ! -e "$folder/$needs" ] || found=yes
    done
    if [ $found = no ]; then
        echo "$name: left out: $needs is not there"
        continue
    fi
    options=()
    if $quick; then for setting in $settings; do options+=(--set "$setting"); done; fi
    "$cardo" "$study" "$top/examples/$model" --out "$runs/$name" --force --quiet "${options[@]}"
    "$cardo" report "$runs/$name" -o "$runs/$name.html"
    made=$((made + 1))
    if $pictures; then
        chromium --headless --no-sandbox --disable-dev-shm-usage --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
            --user-data-dir="$runs/browser" --window-size=1100,1150 --virtual-time-budget=30000 --screenshot="$runs/$name.png" \
            "file://$runs/$name.html" >/dev/null 2>&1
    fi
done
echo "$made pages in $runs"
