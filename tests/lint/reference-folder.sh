#!/usr/bin/env bash
# Says by name which tests compare with the reference folder when it is not there: they skip those parts. In CI it must be
# there.
cd "$1" || exit 1
[ -d "${CARDO_SHARED:-../shared}/reference" ] && exit 0
echo "no reference folder at ${CARDO_SHARED:-../shared} (set CARDO_SHARED); comparisons are skipped in:"
grep -lE 'support_have_shared|need_shared' -r tests --include='*.c' --include='*.sh' | grep -vE 'support|reference-folder' | sed 's|.*/||; s|\..*||' | sort
[ -z "${CI:-}" ] && exit 77
exit 1
