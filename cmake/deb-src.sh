# shellcheck shell=bash
# Functions for install-dependencies.sh: where a package came from, and the deb-src entry that belongs to it.
# Sourced; tests/setup/test_deb_src.sh runs them on folders of its own.

# Reads `apt-cache policy PACKAGE` and prints "URI SUITE COMPONENT" of the archive that has the installed version.
archive_of_installed() {
    awk '
        $1 == "***" { here = 1; next }
        here && $1 !~ /^[0-9-]+$/ { exit }
        here && $2 ~ /:\// { split($3, part, "/"); n = length(part)
            suite = substr($3, 1, length($3) - length(part[n]) - 1)
            print $2, suite, part[n]; exit }'
}

# Prints a deb-src entry for URI SUITE COMPONENT made from the deb entry in an apt folder ($1: as /etc/apt) that
# covers them, with its signing key and options: deb822 or one line, as that entry is. Prints nothing when there is none.
deb_src_entry() {
    local folder=$1 uri=${2%/} suite=$3 component=$4 file entry
    for file in "$folder"/sources.list.d/*.sources; do
        [ -f "$file" ] || continue
        entry=$(deb822_entry "$file" "$uri" "$suite" "$component")
        [ -z "$entry" ] || { printf '%s\n' "$entry"; return; }
    done
    for file in "$folder"/sources.list "$folder"/sources.list.d/*.list; do
        [ -f "$file" ] || continue
        entry=$(one_line_entry "$file" "$uri" "$suite" "$component")
        [ -z "$entry" ] || { printf '%s\n' "$entry"; return; }
    done
}

# Whatever a stanza says besides type, place and architecture (Signed-By, even a key written out) is kept.
deb822_entry() {
    sed '/^#/d' "$1" | awk -v RS= -v uri="$2" -v suite="$3" -v component="$4" '
        function has(words, word,   list, n, i) {
            n = split(words, list, /[ \t\n]+/)
            for (i = 1; i <= n; i++) {
                if (list[i] ~ /.\/$/ && word !~ /\/$/) sub(/\/$/, "", list[i])
                if (list[i] == word) return 1
            }
            return 0
        }
        {
            delete field; kept = ""; name = ""
            n = split($0, line, "\n")
            for (i = 1; i <= n; i++) {
                if (line[i] ~ /^[^ \t:]+:/) {
                    name = tolower(substr(line[i], 1, index(line[i], ":") - 1))
                    field[name] = substr(line[i], index(line[i], ":") + 1)
                } else {
                    field[name] = field[name] "\n" line[i]
                }
                if (name !~ /^(types|uris|suites|components|architectures|enabled)$/)
                    kept = kept line[i] "\n"
            }
            if (tolower(field["enabled"]) ~ /no|false/) next
            if (!has(field["types"], "deb") || !has(field["uris"], uri)) next
            if (!has(field["suites"], suite) || !has(field["components"], component)) next
            printf "Types: deb-src\nURIs: %s\nSuites: %s\nComponents: %s\n%s", uri, suite, component, kept
            exit
        }'
}

# The options in brackets are kept but for arch, which says nothing about sources.
one_line_entry() {
    awk -v uri="$2" -v suite="$3" -v component="$4" '
        $1 == "deb" {
            text = $0; options = ""
            sub(/#.*/, "", text)
            sub(/^[ \t]*deb[ \t]+/, "", text)
            if (text ~ /^\[/) {
                options = substr(text, 2, index(text, "]") - 2)
                text = substr(text, index(text, "]") + 1)
            }
            n = split(text, word, " ")
            place = word[1]; sub(/\/$/, "", place)
            found = 0
            for (i = 3; i <= n; i++) found = found || word[i] == component
            if (place != uri || word[2] != suite || !found) next
            m = split(options, option, " "); kept = ""
            for (i = 1; i <= m; i++) if (option[i] !~ /^arch=/) kept = kept " " option[i]
            sub(/^ /, "", kept)
            printf "deb-src %s%s %s %s\n", kept == "" ? "" : "[" kept "] ", uri, suite, component
            exit
        }' "$1"
}

# Writes the entry into the apt folder under a name of ours and prints the file's name. The folder must be writable.
write_deb_src_entry() {
    local folder=$1 entry=$2 kind=list
    case $entry in Types:*) kind=sources ;; esac
    mkdir -p "$folder/sources.list.d"
    printf '%s\n' "$entry" >"$folder/sources.list.d/cardo-deb-src.$kind"
    chmod 644 "$folder/sources.list.d/cardo-deb-src.$kind"
    echo "$folder/sources.list.d/cardo-deb-src.$kind"
}
