#!/usr/bin/env bash
# cardo domains: a flexible model as an attempt makes it to its end, where what need not turn is held again, residue after residue. On the 50
# residues about the light chain's elbow; which of them are held may differ from processor to processor. With fewer
# iterations than the default a place is no minimum yet: drive comes to other places then.
. "$(dirname "$0")/support.sh"

for i in 1 2; do
    excerpt "$source_tree/pdb/2mcg_$i.pdb" 88 137 >near$i.pdb
done
run 0 domains near1.pdb near2.pdb --out elbow.xml --flexible --set domains.heat=50 --set domains.rounds=2 --set domains.reference=20 --json
json out "d['trial']['whole'] and d['trial']['cycle_work_kJ_per_mol'] <= 10 and d['trial']['strain_kJ_per_mol'] <= 60"
json out "d['trial'].get('residues_held_in_vain', 0) == d['trial']['residues']"
json out "all(p['broken_there'] == 0 and p['broken_back'] == 0 for p in d['trial']['places'])"
# Made of a geometry of its own, its path is still that of the structure it was found in, of which the geometry's first place is at q = 0.
says elbow.xml '<path structures="start end" from="deposited" at="(-?[0-9.]+e-[0-9]+|0) '
cp out tried

# What is held makes the motion that was told.
run 0 drive elbow.xml --out driven --json
json out "d['ending'] == 'done' and abs(d['work_kJ_per_mol']) < 20"

# Told to stop once a trial is whole, it writes what it has until then, in which more turns, and says so; nothing is told of what was not
# tried.
"$cardo" domains near1.pdb near2.pdb --out stopped.xml --flexible --set domains.heat=50 --set domains.rounds=2 --set domains.reference=20 >stopped.out 2>stopped.err &
id=$!
for _ in $(seq 3000); do
    grep -q 'strain .* over all atoms' stopped.out stopped.err && break
    sleep 0.02
done
kill -TERM $id
wait $id
check test $? = 143
says stopped.err 'interrupted; the model is the best one that was found until then'
says stopped.xml 'the motion to it was tried: good from q = 0 to 1'
turning=$(sed -nE 's/^ .* residues, ([0-9]+) coordinates;.*/\1/p' stopped.out)
json tried "d['trial']['coordinates'] < ${turning:-0}"
check test "$(grep -c 'held by themselves' stopped.out)" = 0
run 0 drive stopped.xml --out stopped
finish
