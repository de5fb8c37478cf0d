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

# The structures and domains of the committed example, an antibody light chain that bends at its elbow.
elbow_domains() {
    cat <<XML
    <structure id="first" file="$source_tree/pdb/2mcg_1.pdb"/>
    <structure id="second" file="$source_tree/pdb/2mcg_2.pdb"/>
    <domain name="variable" residues="1:2-108"/>
    <domain name="constant" residues="1:114-216"/>
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
          equilibration="800" states="-0.2:0.5 0.5:1" bins="20" bootstrap="5" checkpoint="0" replicas="1" $2/>
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
