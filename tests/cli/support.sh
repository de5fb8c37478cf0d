# Sourced by the scripts beside it: checks of the program's output, exit status and files.
# shellcheck shell=bash
set -u
cardo=$(realpath "$1")
source_tree=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
ran=

# run EXPECTED_STATUS words...: runs cardo; leaves its output in out and err
run() {
    local expected=$1 got
    shift
    ran=yes
    "$cardo" "$@" >out 2>err
    got=$?
    if [ $got != "$expected" ]; then
        echo "FAILED: cardo $*: exit status $got, not $expected"
        head -5 out err
        failures=$((failures + 1))
    fi
}

# says FILE PATTERN: the file holds a line that matches
says() {
    if ! grep -qE -- "$2" "$1"; then
        echo "FAILED: no line of $1 matches '$2':"
        head -20 "$1"
        failures=$((failures + 1))
    fi
}

# check WORDS...: the command succeeds
check() {
    if ! "$@"; then
        echo "FAILED: $*"
        failures=$((failures + 1))
    fi
}

# json FILE EXPRESSION: a Python expression over the parsed file d is true
json() {
    if ! python3 -c "import json,math,sys; d=json.load(open('$1')); sys.exit(0 if ($2) else 1)"; then
        echo "FAILED: $1: $2"
        failures=$((failures + 1))
    fi
}

finish() {
    [ $failures = 0 ] && echo "all checks passed"
    exit $((failures > 0))
}

shared=${CARDO_SHARED:-$source_tree/../shared}
# need_shared: the whole script needs the reference folder, and is shown as skipped without it. It stands first: a script of which a
# part needs it is two scripts.
need_shared() {
    if [ -n "$ran" ]; then
        echo "FAILED: need_shared stands before the first run"
        exit 1
    fi
    [ -d "$shared/reference" ] && [ -d "$shared/pdb" ] && return
    echo "SKIPPED: no reference folder at $shared (set CARDO_SHARED)"
    exit 77
}

# Where figures are judged: the plain build. A sanitized one goes through the same commands, and leaves to it what is long for its figures
# alone: if figures; then ... fi.
figures() { [ -z "${CARDO_SANITIZE:-}" ]; }

# excerpt FILE FIRST LAST [CHAIN]: the atoms of these residues alone, on standard output
excerpt() {
    awk -v first="$2" -v last="$3" -v chain="${4:-}" '/^ATOM/ { r = substr($0, 23, 4) + 0
        if (r >= first && r <= last && (chain == "" || substr($0, 22, 1) == chain)) print }' "$1"
}

# without_pictures: from here on Cardo finds no gnuplot (it ends as a shell does that finds no program). Pictures take most of the time of
# short runs; a script that looks at them looks at those of one run.
without_pictures() {
    mkdir bin
    printf '#!/bin/sh\nexit 127\n' >bin/gnuplot
    chmod +x bin/gnuplot
    export PATH=$work/bin:$PATH
}

# The structures and domains of the committed example, an antibody light chain that bends at its elbow.
elbow_files=("$source_tree/pdb/2mcg_1.pdb" "$source_tree/pdb/2mcg_2.pdb")
elbow_ends=(2 216)
# short_elbow: from here on the elbow is the 50 residues about its hinge, for what goes by atoms and not by whose they are
short_elbow() {
    for i in 0 1; do
        excerpt "${elbow_files[i]}" 88 137 >elbow_cut.pdb
        "$cardo" prepare elbow_cut.pdb -o "short$((i + 1)).pdb" --no-relax --quiet || failures=$((failures + 1))
        elbow_files[i]=$work/short$((i + 1)).pdb
    done
    elbow_ends=(88 137)
}
elbow_domains() {
    cat <<XML
    <structure id="first" file="${elbow_files[0]}"/>
    <structure id="second" file="${elbow_files[1]}"/>
    <domain name="variable" residues="1:${elbow_ends[0]}-108"/>
    <domain name="constant" residues="1:114-${elbow_ends[1]}"/>
    <hinge residues="1:109-113"/>
XML
}

# LAO-binding protein in two wells, of the reference folder, with the <sample> element given as words.
write_lao_wells() { # file, sample attributes
    cat >"$1" <<XML
<cardo version="1">
  <model name="LAO">
    <structure id="open" file="$shared/pdb/2lao.pdb"/>
    <structure id="closed" file="$shared/pdb/1lst.pdb"/>
    <annotation file="$source_tree/topologies/lao.domains.xml"/>
    <body name="stationary" domains="stationary" base="welded"/>
    <body name="mobile" domains="mobile" parent="stationary"><path interpolation="screw"/></body>
    <forcefield files="double-basin.xml" parameters="barrier=10"/>
  </model>
  <sample from="-0.2" to="1" timestep="100 fs" integrator="langevin" friction="0.3" windows="14" exchange="yes"
          equilibration="300" states="-0.2:0.5 0.5:1" bins="20" bootstrap="5" checkpoint="0" replicas="1" $2/>
</cardo>
XML
}

# A model of the committed example with the <simulate> element given as words.
write_model() { # file, forcefield attributes, simulate attributes
    cat >"$1" <<XML
<cardo version="1">
  <model name="elbow">
$(elbow_domains)
    <body name="variable" domains="variable"/>
    <body name="constant" domains="constant" parent="variable"><path/></body>
    <forcefield files="ff14SB.xml" $2/>
  </model>
  <simulate $3/>
</cardo>
XML
}
