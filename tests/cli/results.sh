#!/usr/bin/env bash
# Results are described once: what is in an array of --json stands in the text or in a table too, rounded. Every verb
# whose output comes from a result has its line here; what is for programs alone is named.
. "$(dirname "$0")/support.sh"

# same NAME PATTERN... : the numbers of NAME.json in NAME.txt and the tables of NAME.folder
same() {
    local name=$1
    shift
    check python3 "$source_tree/tests/cli/results.py" $name.json $name.txt $(find $name.folder -name '*.csv' 2>/dev/null) -- "$@"
}

# both NAME STATUS words... : the text and the JSON of a command
both() {
    local name=$1 status=$2
    shift 2
    run $status "$@" && cp out $name.txt
    run $status "$@" --json $again && cp out $name.json
}

again=
without_pictures
write_model whole.xml '' ''
mkdir fit.folder
both fit 0 fit whole.xml "$source_tree/pdb/2mcg_2.pdb" --table fit.folder/frames.csv
same fit '/steps$'
short_elbow
write_model elbow.xml '' ''
both energy 0 energy elbow.xml
same energy '^/forces_judged/.*/(rigid|judge|bound)$'
both info 0 info elbow.xml --clashes
same info '/motion_R/' '/motion_t_A/' '^/strain/inside_bodies/'
awk '!/^ATOM/ || $NF != "H" || int(substr($0, 23, 4)) % 7' "$source_tree/pdb/2mcg_1.pdb" >bare.pdb
both check 1 check bare.pdb
same check
both domains 0 domains "${elbow_files[@]}"
same domains
again=--force
both scan 0 energy elbow.xml --scan constant=0:1:5 --out scan.folder --set forcefield.solvent=none
same scan
both modes 0 modes elbow.xml --out modes.folder --set modes.count=8 --set modes.against=anm
same modes
both minimize 0 minimize elbow.xml --out minimize.folder --set forcefield.solvent=none --set minimize.iterations=3
same minimize '^/strain/inside_bodies/'
finish
