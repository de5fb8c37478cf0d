#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that Cardo's build, tests and examples need, as root or through sudo. Says what it
# does; does nothing when all is there.
#   cmake/install-dependencies.sh [--tests] [--developer] [--list]
#     --tests      also OpenMM's Python layer with its force-field files, PDBFixer and ProDy, which the tests compare with, and what the
#                  layers for Python, C++ and Fortran are made and tested with
#     --developer  also what formats the sources, and makes the committed data and the documentation's site
#     --list       print the packages and stop
# With OPENMM_DIR or CONDA_PREFIX naming an OpenMM that has its C wrapper, the distribution's OpenMM is left out.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/deb-src.sh"

packages=(build-essential cmake ninja-build pkg-config liblbfgs-dev libxml2-dev liblapacke-dev libopenblas-dev libnetcdf-dev
    librandom123-dev libsundials-dev libjansson-dev libxrl-dev zlib1g-dev libopenmpi-dev openmpi-bin ca-certificates libcmocka-dev gnuplot-nox python3)
openmm_packages=(libopenmm-dev libopenmm-plugins doxygen dpkg-dev)
test_packages=(python3-simtk python3-pdbfixer python3-prody python3-cffi python3-pycparser python3-numpy python3-dev python3-distutils python3-pytest python3-pip python3-venv python3-setuptools python3-mdanalysis python3-mdtraj python3-pandas python3-pymbar python3-xarray python3-nbconvert python3-ipykernel python3-matplotlib gfortran zsh fish groff-base chromium tidy)
developer_packages=(clang-format python3-simtk python3-pdbfixer python3-prody python3-sphinx python3-myst-parser python3-breathe python3-sphinx-rtd-theme abigail-tools)

say() {
    echo "install-dependencies: $*"
}

fail() {
    echo "install-dependencies: $*" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "this needs root, and there is no sudo: run as root: $*"
    fi
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"
}

has_openmm_wrapper() {
    local prefix
    for prefix in "${OPENMM_DIR:-}" "${CONDA_PREFIX:-}" /usr /usr/local /usr/local/openmm; do
        [ -n "$prefix" ] && [ -f "$prefix/include/OpenMMCWrapper.h" ] && return 0
    done
    return 1
}

# Each of Debian's flavours of libcurl serves, and installing one would remove the other.
has_libcurl() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Abbrev}\n' libcurl4-gnutls-dev libcurl4-nss-dev 2>/dev/null || true)
    grep -q '^ii' <<<"$installed"
}

missing_packages() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p' || true)
    comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

install_missing() {
    local missing
    mapfile -t missing < <(missing_packages "${packages[@]}")
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing ${missing[*]}"
    if ! apt-get --simulate install --no-install-recommends "${missing[@]}" >/dev/null 2>&1; then
        say "reading the package lists"
        apt update >/dev/null
    fi
    # Lists that are there may be older than the archive.
    if ! apt install --no-install-recommends "${missing[@]}"; then
        say "trying again with fresh package lists"
        apt update >/dev/null
        apt install --no-install-recommends "${missing[@]}"
    fi
}

has_openmm_source() {
    apt-get source --print-uris "openmm=$(dpkg-query -W -f '${source:Version}' libopenmm-dev)" >/dev/null 2>&1
}

# apt-get source finds OpenMM's source package only through a deb-src entry for the archive that libopenmm-dev is from.
enable_openmm_source() {
    local place entry scratch file
    has_openmm_source && return 0
    place=$(apt-cache policy libopenmm-dev | archive_of_installed)
    if [ -z "$place" ]; then
        apt update >/dev/null
        has_openmm_source && return 0
        place=$(apt-cache policy libopenmm-dev | archive_of_installed)
    fi
    [ -n "$place" ] || fail "apt knows no archive for the installed libopenmm-dev: add a deb-src entry by hand, or
set OPENMM_DIR to an OpenMM that has OpenMMCWrapper.h"
    # shellcheck disable=SC2086
    entry=$(deb_src_entry /etc/apt $place)
    [ -n "$entry" ] || fail "no apt entry for $place was found to make a deb-src entry from: add one by hand"
    scratch=$(mktemp -d)
    file=$(write_deb_src_entry "$scratch" "$entry")
    say "adding a deb-src entry for $place, from which the OpenMM C wrapper is made"
    as_root install -D -m 644 "$file" "/etc/apt/sources.list.d/${file##*/}"
    rm -rf "$scratch"
    apt update >/dev/null
    has_openmm_source || fail "apt-get source openmm still finds no source of the installed version; see
/etc/apt/sources.list.d/${file##*/}"
}

list=false
need_npm=false
for_tests=()
for argument in "$@"; do
    case $argument in
    --tests)
        packages+=("${test_packages[@]}")
        need_npm=true
        for_tests=(--tests)
        ;;
    --developer) packages+=("${developer_packages[@]}") ;;
    --list) list=true ;;
    *) fail "unknown argument $argument (there are --tests, --developer and --list)" ;;
    esac
done
need_openmm=true
if has_openmm_wrapper; then need_openmm=false; else packages+=("${openmm_packages[@]}"); fi
# Debian's npm brings a node of its own, which would take the place of another one.
if $need_npm && ! command -v npm >/dev/null; then packages+=(npm); fi
if ! has_libcurl; then packages+=(libcurl4-openssl-dev); fi

if $list; then
    printf '%s\n' "${packages[@]}"
    exit 0
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "this is no Debian or Ubuntu: nothing is installed, and cmake will say what is missing"
    exit 0
fi
install_missing
if $need_openmm; then enable_openmm_source; fi
"$(dirname "${BASH_SOURCE[0]}")/fetch-report-assets.sh" "$(dirname "${BASH_SOURCE[0]}")/../build/report" "${for_tests[@]}" ||
    say "pages of cardo report will have no molecule, and curves without a pointer"
say "everything is there"
