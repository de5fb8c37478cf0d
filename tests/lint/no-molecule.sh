#!/usr/bin/env bash
# A program of the engine alone needs neither OpenMM nor libxml2.
set -u
needed=$(readelf -d "$1" | grep NEEDED)
echo "$needed"
if grep -qiE 'OpenMM|libxml2|netcdf|curl' <<<"$needed"; then
    echo "$1 is linked with something molecular"
    exit 1
fi
