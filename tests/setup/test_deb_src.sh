#!/usr/bin/env bash
# The functions of cmake/deb-src.sh on apt folders made here: both styles, as Debian, Ubuntu and people write them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../cmake/deb-src.sh"
etc=$(mktemp -d)
trap 'rm -rf "$etc"' EXIT
mkdir "$etc/sources.list.d"
failures=0

expect() { # NAME EXPECTED GOT
    [ "$2" = "$3" ] && return
    failures=$((failures + 1))
    printf '%s\n--- expected\n%s\n--- got\n%s\n' "$1" "$2" "$3" >&2
}

echo '# moved to sources.list' >"$etc/sources.list.d/aaa.sources"
cat >"$etc/sources.list.d/debian.sources" <<'EOF'
Types: deb
# a comment inside the stanza
URIs: https://archive.example/debian
Suites: stable stable-updates
Components: main
Signed-By: /usr/share/keyrings/archive.gpg

Types: deb
URIs: https://archive.example/debian-security
Suites: stable-security
Components: main
Enabled: no
EOF
cat >"$etc/sources.list.d/ubuntu.sources" <<'EOF'
# See the manual page
#
types: deb
uris: https://old.example/ubuntu/ https://mirror.example/ubuntu/
Suites: noble noble-updates
 noble-backports
Components: main universe restricted
Architectures: amd64
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc+/=
 -----END PGP PUBLIC KEY BLOCK-----
Trusted: yes
EOF
cat >"$etc/sources.list" <<'EOF'
# deb https://classic.example/debian bullseye main
deb [arch=amd64,i386 signed-by=/etc/key.gpg trusted=yes] https://classic.example/debian/ bullseye main contrib # mine
deb	https://plain.example/ubuntu jammy main universe
EOF
echo 'deb [ arch=amd64 ] https://extra.example/x focal main' >"$etc/sources.list.d/extra.list"

expect deb822 "Types: deb-src
URIs: https://archive.example/debian
Suites: stable
Components: main
Signed-By: /usr/share/keyrings/archive.gpg" "$(deb_src_entry "$etc" https://archive.example/debian stable main)"
expect "deb822 with an inline key" "Types: deb-src
URIs: https://mirror.example/ubuntu
Suites: noble-backports
Components: universe
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc+/=
 -----END PGP PUBLIC KEY BLOCK-----
Trusted: yes" "$(deb_src_entry "$etc" https://mirror.example/ubuntu noble-backports universe)"
expect "a disabled stanza" "" "$(deb_src_entry "$etc" https://archive.example/debian-security stable-security main)"
expect "another suite" "" "$(deb_src_entry "$etc" https://archive.example/debian testing main)"
expect "one line" "deb-src [signed-by=/etc/key.gpg trusted=yes] https://classic.example/debian bullseye contrib" \
    "$(deb_src_entry "$etc" https://classic.example/debian/ bullseye contrib)"
expect "one line, comment" "" "$(deb_src_entry "$etc" https://classic.example/debian bullseye mine)"
expect "one line, no options" "deb-src https://plain.example/ubuntu jammy universe" \
    "$(deb_src_entry "$etc" https://plain.example/ubuntu jammy universe)"
expect "one line, only arch" "deb-src https://extra.example/x focal main" \
    "$(deb_src_entry "$etc" https://extra.example/x focal main)"

policy='libopenmm-dev:
  Installed: 8.1.1-3
  Candidate: 8.1.2-1
  Version table:
     8.1.2-1 500
        500 https://newer.example/ubuntu noble-updates/universe amd64 Packages
 *** 8.1.1-3 500
        500 https://mirror.example/ubuntu noble/universe amd64 Packages
        100 /var/lib/dpkg/status
     7.7.0-1 500
        500 https://older.example/ubuntu jammy/universe amd64 Packages'
expect policy "https://mirror.example/ubuntu noble universe" "$(archive_of_installed <<<"$policy")"
expect "policy, unknown archive" "" "$(printf '%s\n' ' *** 8.1.1-3 100' '        100 /var/lib/dpkg/status' \
    '     7.7.0-1 500' '        500 https://older.example/ubuntu jammy/universe amd64 Packages' | archive_of_installed)"

file=$(write_deb_src_entry "$etc" "Types: deb-src")
expect "file of a stanza" "$etc/sources.list.d/cardo-deb-src.sources" "$file"
file=$(write_deb_src_entry "$etc" "deb-src https://plain.example/ubuntu jammy universe")
expect "file of a line" "$etc/sources.list.d/cardo-deb-src.list" "$file"
expect "what is in it" "deb-src https://plain.example/ubuntu jammy universe" "$(cat "$file")"

[ $failures = 0 ] && echo "deb-src entries: all as expected"
exit $((failures > 0))
