#!/usr/bin/env bash
# Gets 3Dmol.js and uPlot, which pages of `cardo report` carry, from their npm packages, by version and hash.
#   cmake/fetch-report-assets.sh FOLDER [--tests]
# FOLDER gets 3Dmol-min.js, uPlot.iife.min.js and uPlot.min.css; with --tests also axe.min.js, which no page carries: it looks
# whether pages can be used by everybody. Needs npm; exit status 1 where they cannot be had.
set -euo pipefail
[ $# = 1 ] || [ "${2:-}" = --tests ] || { sed -n '2,5p' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# package, its tarball's SHA-512, and the files of it that pages carry
assets=(
    "3dmol@2.5.5 3dmol-2.5.5.tgz 92a347a2e1aaab761f5b9f35ef8b5d111be6d1761398fd2d6af40a3aa230d68b9cd8e27b7a9917105aed1245575747250594f665edb11d10bfab15f4bb4a8277 build/3Dmol-min.js"
    "uplot@1.6.32 uplot-1.6.32.tgz 2883159c6ebccefbb95d751b0b82d010f9e1c0ec41b8bc96d401eda66e882935c89a46cb824332fa369b8cb8122cc6ac36e186cd09bf7a9ded3a4c93c6989023 dist/uPlot.iife.min.js dist/uPlot.min.css"
)
if [ $# = 2 ]; then
    assets+=("axe-core@4.14.1 axe-core-4.14.1.tgz 1477dafa598d8d065f273d6af302aa203c02e83131707b7fa648cd41bd3d6b734f8c22a0dab86ee6a6f64b8afbe804b214d36db85a2826965edfb3a0b9d546b5 axe.min.js")
fi

has_all() {
    local package tarball hash files file
    for asset in "${assets[@]}"; do
        read -r package tarball hash files <<<"$asset"
        for file in $files; do
            [ -s "$folder/$(basename "$file")" ] || return 1
        done
    done
}
has_all && exit 0
command -v npm >/dev/null || { echo "fetch-report-assets: npm is missing: pages of cardo report go without molecule" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
for asset in "${assets[@]}"; do
    read -r package tarball hash files <<<"$asset"
    if ! timeout 120 npm pack --silent "$package" >/dev/null 2>npm.log; then
        echo "fetch-report-assets: $package cannot be had:" >&2
        tail -n 3 npm.log >&2
        exit 1
    fi
    echo "$hash  $tarball" | sha512sum --check --quiet
    for file in $files; do
        tar -xzf "$tarball" "package/$file"
        mv "package/$file" "$folder/$(basename "$file").part"
    done
done
for part in "$folder"/*.part; do
    mv "$part" "${part%.part}"
done
