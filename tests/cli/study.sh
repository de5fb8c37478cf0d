#!/usr/bin/env bash
# cardo study: from two structures to an answer and a page; a study that is killed goes on to the same files; what has no hinge, no
# second end or no file is told.
. "$(dirname "$0")/support.sh"

here=$source_tree/tests/cli
adk=$source_tree/pdb/adk_xray_ensemble_ca.pdb
elbow=$source_tree/pdb/2mcg_1.pdb
# Of adenylate kinase what is next to its two hinges; one of them, which takes a tenth of the time, is enough for a sanitizer.
spans='r >= 18 && r <= 72 || r >= 108 && r <= 156 || r >= 162 && r <= 182' hinges='two hinges of 45.8 and 46.2 degrees'
figures || { spans='r >= 100' hinges='one hinge of 44.2 degrees'; }
for model in 13 1; do
    awk -v model=$model "/^MODEL/ { at = \$2 }
        /^ATOM/ && at == model && substr(\$0, 22, 1) == \"A\" { r = substr(\$0, 23, 4) + 0; if ($spans) print }" "$adk" >kinase$model.pdb
done

run 0 study kinase13.pdb kinase1.pdb -o whole
says out "$hinges"
! figures || says out '^The other hinges of this model: domain2: two wells'
says out 'the plan, about [0-9]+ s on this machine'
says out 'left out: .*hardly more than a backbone'
says out 'Answer: rung coarse .* two wells'
says out 'Doubt: this energy is made from the two structures'
says out 'page.html'
json whole/result.json "d['headline']['rung'] == 'coarse' and d['headline']['two_wells'] and not d['interrupted']"
json whole/result.json "abs(d['headline']['first_well_q']) < 0.1 and abs(d['headline']['second_well_q'] - 1) < 0.1"
# both wells are as deep, and the barrier is not that of nothing
json whole/result.json "2 < d['headline']['barrier_kT'] < 20 and abs(d['headline']['difference_kT']) < 8"
check test "$(wc -l <whole/answer.txt)" -ge 6
for file in page.html commands.sh domains/model.xml coarse-energy-1/pmf.csv contacts-energy-1/pmf.csv coarse-modes/modes.csv; do
    check test -s whole/$file
done
# the free energy of the answer is the one of its folder: its barrier is found in the table
check python3 - <<'PY'
import csv, json
head = json.load(open("whole/result.json"))["headline"]
rows = [(float(r[0]), float(r[3])) for r in list(csv.reader(open("whole/" + head["step"] + "/pmf.csv")))[1:]]
first, last = head["first_well_q"], head["second_well_q"]
top = max(f for q, f in rows if first <= q <= last)
lowest = min(f for q, f in rows)
assert abs(top - lowest - head["barrier_kT"]) < 0.01, (top, lowest, head["barrier_kT"])
PY
# the commands are those that were run
(export PATH=$PWD/bin:$PATH; mkdir bin; ln -s "$cardo" bin/cardo
 sed -n 's#whole/coarse-modes#again#p' whole/commands.sh | sh >/dev/null 2>&1)
check cmp whole/coarse-modes/modes.csv again/modes.csv

# killed again and again, from its first moments on, it goes on to the same files, but for what the clock says. The plan is the first
# start's: as soon as it is there, the study is killed as well and a copy goes on without a break.
pair=("$elbow" "$source_tree/pdb/2mcg_2.pdb" --rung coarse)
mkdir parts straight
kills=0
planned() { grep -aq '^plan.predicted' parts/s/plan.cardo 2>/dev/null; }
# killed_after LENGTH WORDS...: cardo study in parts, for so many hundredths of a second at most; fails where it was killed
killed_after() {
    (cd parts && exec "$cardo" study -o s --quiet "${@:2}") >>kills.out 2>&1 &
    local id=$! waited
    for ((waited = 0; waited < $1; waited++)); do
        kill -0 $id 2>/dev/null || break
        [ -e straight/s ] || ! planned || break
        sleep 0.01
    done
    kill -KILL $id 2>/dev/null
    wait $id 2>/dev/null
    local got=$?
    [ $got = 137 ] && kills=$((kills + 1))
    [ $got = 0 ]
}
length=10
for _ in $(seq 40); do
    how=(--continue)
    [ -e parts/s/run.json ] || how=("${pair[@]}" --force)
    killed_after $length "${how[@]}" && break
    if [ ! -e straight/s ] && planned; then
        cp -r parts/s straight/s
        length=5
    fi
    length=$((length * 8 / 5))
done
check test -e straight/s -a $kills -ge 3
(cd straight && "$cardo" study -o s --continue --quiet)
check test $? = 0
echo "killed $kills times"
check python3 "$here/study_same.py" straight/s parts/s
# another energy would be seen
cp -r straight/s other
sed -i '3s/[0-9]/&1/' other/contacts-energy-1/pmf.csv
check test "$(python3 "$here/study_same.py" straight/s other)" = 'straight/s/contacts-energy-1/pmf.csv differs'
run 1 study "${pair[@]}" -o parts/s
says err 'holds a run already; --continue goes on'
says parts/s/answer.txt 'An energy with two wells, one at each structure, cannot be made here: there are no two wells'
says parts/s/answer.txt 'Answer: rung coarse .*an energy of contacts'

# a signal ends it in good order
"$cardo" study "${pair[@]}" -o stopped >stopped.out 2>stopped.err &
id=$!
for _ in $(seq 2000); do [ -e stopped/contacts/run.json ] && break || sleep 0.01; done
kill -INT $id
wait $id
check test $? = 130
says stopped.err 'interrupted; cardo study --out stopped --continue goes on'
run 0 study -o stopped --continue
check cmp stopped/contacts-energy-1/pmf.csv straight/s/contacts-energy-1/pmf.csv

# no hinge, one structure, strangers, no file
run 0 study "$elbow" "$elbow" -o alike
says out 'There is no hinge to follow'
check test -s alike/page.html
# one body that differs as much as a mirror image does is no rigid one
awk '/^ATOM/ { printf "%s%8.3f%s\n", substr($0, 1, 30), -substr($0, 31, 8), substr($0, 39) }' "$elbow" >mirror.pdb
run 0 study "$elbow" mirror.pdb -o mirror
says out 'Doubt: .* A are much for one rigid domain'
run 1 study "$elbow" -o one
says err 'no second end'
check test ! -e one
run 1 study "$elbow" "$adk#1:A" -o strangers
says err 'does not fit'
run 1 study "$elbow" missing.pdb -o missing
says err 'missing.pdb is not there'
check test ! -e missing -a ! -e strangers
run 1 study 1ABC "$elbow" --url http://localhost:1/ -o fetched
says err '1ABC'
check test ! -e fetched
# an entry that is here under its name is asked of nobody
sed -n '/^ATOM/p;/^TER/p' "$elbow" >2mcg.pdb
run 0 study 2mcg.pdb "$elbow" --url http://localhost:1/ --rung coarse -o here
run 2 study
run 2 study "$elbow" "$elbow" --rung highest
finish
