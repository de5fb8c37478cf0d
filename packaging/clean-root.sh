#!/usr/bin/env bash
# Installs the packages of packaging/debian.sh into a root that has nothing but what the distribution needs, runs their tests there,
# removes them, and says what they left.
#   packaging/clean-root.sh FOLDER      as root; needs mmdebstrap and the distribution's archive
# The program, the library and Python come first, where no compiler is; what compiles is tested after that.
set -euo pipefail
[ $# = 1 ] || { sed -n '2,5p' "$0" >&2; exit 2; }
packages=$(cd "$1" && pwd)
root=$packages/root
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/debian/tests
mapfile -t debs < <(cd "$packages" && find . -maxdepth 1 -name "*.deb" ! -name "*-dbgsym_*" | sort)
[ ${#debs[@]} -gt 0 ] || { echo "$packages has no packages: packaging/debian.sh makes them" >&2; exit 1; }

inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive OMP_NUM_THREADS=1 "$@"
}
apt_inside() {
    inside apt-get -q -y --no-install-recommends "$@" >>"$packages/root.log" 2>&1 || {
        tail -n 20 "$packages/root.log" >&2
        exit 1
    }
}
# All files but those of the kernel, and what the package manager writes about itself.
files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./packages -o -path ./tmp -o -path ./var/cache -o -path ./var/log \
        -o -path ./var/lib/apt -o -path ./var/lib/dpkg \) -prune -o -print) | sort
}
only() {
    printf '%s\n' "${debs[@]}" | grep -E "/($1)_"
}

echo "== a root of $suite"
rm -rf "$root"
: >"$packages/root.log"
mmdebstrap --variant=minbase --quiet "$suite" "$root" 2>>"$packages/root.log"
trap 'umount "$root/proc" 2>/dev/null || true' EXIT
mount -t proc proc "$root/proc"
mkdir "$root/packages"
cp "${debs[@]/#/$packages/}" "$root/packages/"
cp -r "$tests" "$root/packages/tests"
cp /etc/resolv.conf "$root/etc/resolv.conf"
apt_inside update
files >"$packages/before.txt"

echo "== installing the program, the library and Python"
# shellcheck disable=SC2046
apt_inside install $(only 'libcardo[0-9.]*|cardo|cardo-data|cardo-doc|python3-cardo' | sed 's,^\.,/packages,')
for compiler in cc gcc g++ c++ clang cmake; do
    if inside sh -c "command -v $compiler"; then
        echo "there is a compiler in the root, $compiler: nothing is shown" >&2
        exit 1
    fi
done
for test in quickstart python; do
    echo "== $test"
    inside /packages/tests/$test
done

echo "== installing what programs are compiled with"
# shellcheck disable=SC2046
apt_inside install $(only libcardo-dev | sed 's,^\.,/packages,') cmake g++ gcc gfortran make pkg-config
echo "== library"
inside /packages/tests/library

echo "== removing"
# shellcheck disable=SC2046
apt_inside purge $(printf '%s\n' "${debs[@]}" | sed 's,^\./\([^_]*\)_.*,\1,')
if find "$root" -xdev -path "$root/packages" -prune -o -path "$root/tmp" -prune -o -path "$root/var/log" -prune -o -iname '*cardo*' -print | grep -v '/var/lib/dpkg/'; then
    echo "these were left behind" >&2
    exit 1
fi
apt_inside purge --autoremove cmake g++ gcc gfortran make pkg-config
apt_inside autoremove --purge
files >"$packages/after.txt"
if left=$(comm -13 "$packages/before.txt" "$packages/after.txt") && [ -n "$left" ]; then
    echo "left behind by packages of the distribution, in the root as a whole:"
    echo "$left"
fi
if grep -i cardo <<<"$left"; then
    echo "left behind" >&2
    exit 1
fi
echo "nothing of Cardo is left"
