#!/usr/bin/env bash
# Every symbol that the library exports carries the prefix cardo_.
set -u
library=$1
case $library in
*.so*) names=$(nm -D --defined-only "$library" | awk '{print $3}') ;;
*) names=$(nm -g --defined-only "$library" 2>/dev/null | awk 'NF == 3 {print $3}') ;;
esac
[ -n "$names" ] || {
    echo "$library exports nothing"
    exit 1
}
bad=$(grep -vE '^(cardo_|_Z|_fini$|_init$|__asan|__odr_asan|__ubsan|_?_?gxx|DW\.ref|__)' <<<"$names" | sort -u)
if [ -n "$bad" ]; then
    echo "exported without the prefix cardo_:"
    head -20 <<<"$bad"
    exit 1
fi
