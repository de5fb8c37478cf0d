#!/usr/bin/env bash
# Run folders: one process at a time writes there; --continue repeats what the run was begun with; failed starts leave nothing;
# --force leaves nothing of the former run, and what others put there; signals and killed workers.
. "$(dirname "$0")/support.sh"

without_pictures
cat >elbow.xml <<XML
<cardo version="1">
  <model name="elbow">
$(elbow_domains)
    <body name="variable" domains="variable" base="welded"/>
    <body name="constant" domains="constant" parent="variable"><path/></body>
    <forcefield files="kim-hummer.xml"/>
  </model>
  <simulate timestep="100 fs" steps="60" report-interval="10" trajectory-interval="20" checkpoint-interval="20"/>
  <drive to="0.02" duration="6" timestep="100 fs" report-interval="10" checkpoint-interval="20"/>
  <sample from="-0.05" to="0.1" timestep="100 fs" windows="2" steps="400" equilibration="100" pull="0" probe="100" round="100"
          interval="10" bootstrap="2" bins="4" highest-start="1e6" checkpoint="0"/>
</cardo>
XML

files() { # folder: what is in it, hidden files too
    ls -A "$1" 2>/dev/null | sort | tr '\n' ' '
}
nothing_left() { # names that must not be there
    for name in "$@"; do check test ! -e "$name"; done
    check test -z "$(find . -name '*.part' -o -name '*.cardo.lock')"
}

# started WORDS...: cardo in the background, until it holds its folder (the word after -o) and has begun to write
started() {
    local folder=
    # a shell that ignores SIGHUP, as under nohup, would leave that to what it starts
    env --default-signal=HUP "$cardo" "$@" --quiet >background.out 2>background.err &
    id=$!
    while [ $# -gt 0 ]; do
        [ "$1" = -o ] && folder=$2
        shift
    done
    for _ in $(seq 1000); do
        [ -s "$folder/checkpoint.cardo" ] && return
        kill -0 $id 2>/dev/null || break
        sleep 0.02
    done
    echo "FAILED: no checkpoint in $folder:"
    cat background.err
    failures=$((failures + 1))
}
ended() { # expected status
    local got
    wait $id 2>/dev/null
    got=$?
    check test $got = "$1"
}

# Two runs in one folder: the second is refused at once, says who holds it, and changes nothing; afterwards it may.
long=(--set simulate.steps=100000000 --set simulate.report-interval=1000 --set simulate.trajectory=none)
started simulate elbow.xml -o same "${long[@]}"
for words in "simulate elbow.xml" "simulate elbow.xml --force" "simulate elbow.xml --continue" "modes elbow.xml --force" \
    "minimize elbow.xml --force" "sample elbow.xml --force --processes 2" "drive elbow.xml --force"; do
    run 1 $words -o same
    says err "same: is being written by process $id on .*cardo simulate.*--out"
done
run 1 energy elbow.xml --scan constant=0:0.1:3 -o same --force
says err "process $id"
# killed, it holds nothing, and goes on
kill -KILL $id
ended 137
check test -e same/.cardo.lock
touch same/checkpoint.cardo.4711-0.part same/mine.4711-0.part
run 1 simulate elbow.xml -o same
says err 'holds a run already; --continue goes on'
steps=$(tail -1 same/trajectory.csv | cut -d, -f1)
run 0 simulate elbow.xml -o same --continue --quiet --set simulate.steps=$((steps + 5000))
check test ! -e same/.cardo.lock -a ! -e same/checkpoint.cardo.4711-0.part -a -e same/mine.4711-0.part
check awk -F, 'NR > 2 && $1 != last + 1000 {exit 1} {last = $1}' same/trajectory.csv
rm -r same

# A killed process of the same name as a stranger's: its lock file is no lock.
mkdir strange
echo "process 1 on nowhere (cardo simulate, since yesterday)" >strange/.cardo.lock
run 0 simulate elbow.xml -o strange --quiet
rm -r strange

# SIGHUP ends a run as SIGTERM does; nohup keeps it from that.
started simulate elbow.xml -o hung "${long[@]}"
kill -HUP $id
ended 129
says background.err 'interrupted at step [0-9]+; a checkpoint is written, --continue goes on'
rm -r hung
(trap '' HUP && exec "$cardo" simulate elbow.xml -o hung "${long[@]}" --quiet) 2>background.err &
id=$!
for _ in $(seq 1000); do [ -s hung/checkpoint.cardo ] && break || sleep 0.02; done
kill -HUP $id
sleep 0.2
kill -TERM $id
ended 143
rm -r hung

# A run in pieces, in which nothing is said again: bits, summary and run.json of the one in one piece.
given=(--set simulate.temperature=310 --set simulate.integrator=baoab --set simulate.seed=7 --at constant=0.01
    --set simulate.steps=60 --threads 1)
run 0 simulate elbow.xml -o whole "${given[@]}"
sed -n '/mean/p;/potential/p;/conserved/p' out >whole.means
check test -s whole.means
run 0 simulate elbow.xml -o parts "${given[@]}" --set simulate.steps=20 --quiet
run 0 simulate elbow.xml -o parts --continue --set simulate.steps=40 --quiet
mkdir elsewhere
(cd elsewhere && "$cardo" simulate --out ../parts --continue --set simulate.steps=60 >../out 2>../err)
check test $? = 0
says out 'done after 60 steps \(6 ps\), 20 of them now'
sed -n '/mean/p;/potential/p;/conserved/p' out >parts.means
check cmp whole.means parts.means
for file in trajectory.csv trajectory.nc checkpoint.cardo topology.pdb; do check cmp whole/$file parts/$file; done
json parts/run.json "d['options'] == json.load(open('whole/run.json'))['options'] and '--continue' not in d['command']"
run 0 simulate elbow.xml -o parts --continue
says out 'nothing was left to do: the run has its 60 steps'
sed -n '/mean/p;/potential/p;/conserved/p' out >parts.means
check cmp whole.means parts.means
check cmp whole/checkpoint.cardo parts/checkpoint.cardo
# harmless options may be others
run 0 simulate elbow.xml -o parts --continue --quiet --threads 2 --set simulate.steps=80 --set simulate.report-interval=5 \
    --set simulate.trajectory-interval=10 --set simulate.checkpoint-interval=7 --set simulate.max-energy-jump=500 \
    --set "simulate.events=constant=0.02 rising" --at constant=0.01 --set simulate.temperature=310
# others are refused by name, with the remedy, and leave everything as it is
cp -r parts before
refused() { # pattern words...
    local pattern=$1
    shift
    run 1 simulate elbow.xml -o parts --continue --set simulate.steps=100 "$@"
    says err "$pattern"
    says err 'leave it out|another run|put the model'
    check diff -r before parts
}
refused 'simulate.temperature="300".*simulate.temperature="310"' --set simulate.temperature=300
refused 'timestep' --set simulate.timestep=0.05
refused 'integrator="langevin".*baoab' --set simulate.integrator=langevin
refused 'seed' --set simulate.seed=8
refused 'friction="3"' --set simulate.friction=3
refused 'ensemble' --set simulate.ensemble=fixman
refused 'trajectory-velocities' --set simulate.trajectory-velocities=yes
refused 'forcefield' --set forcefield.files=elastic-network.xml
refused 'forcefield.parameters="lambda' --set forcefield.parameters=lambda=0.2
refused 'model.base' --set model.base=free
refused 'path.interpolation' --set path.interpolation=euler
refused '\-\-at constant=0.02' --at constant=0.02
refused '\-\-from there.csv' --from there.csv
# a model file that was edited since
cp elbow.xml kept.xml
sed -i 's/100 fs/50 fs/' elbow.xml
refused 'timestep="0.05"'
sed -e 's/1:114-216/1:115-216/' -e 's/1:109-113/1:109-114/' kept.xml >elbow.xml
refused 'model'
sed 's/steps="60"/steps="70" temperature="280"/' kept.xml >elbow.xml
run 0 simulate elbow.xml -o parts --continue --quiet # what the command line said of it counts
cp kept.xml elbow.xml
run 1 drive elbow.xml -o parts --continue
says err 'holds a run of cardo simulate'
run 2 simulate elbow.xml -o parts --continue --force
# a run whose run.json is of an older version, or gone, is continued with its options said again
rm parts/run.json
run 1 simulate elbow.xml -o parts --continue
says err 'another run'
run 0 simulate elbow.xml -o parts --continue --quiet "${given[@]}" --set simulate.steps=90
rm -r parts before

# Killed before the first checkpoint, it begins again by itself.
cp -r whole early
rm early/checkpoint.cardo
run 0 simulate elbow.xml -o early --continue --quiet
check cmp whole/trajectory.csv early/trajectory.csv
rm -r early

# drive: in pieces too, the summary of the whole.
run 0 drive elbow.xml -o driven --set drive.to=0.03
sed -n '/mean/p;/motive force  /p;/load /p;/work /p' out >whole.means
run 0 drive elbow.xml -o pieces --set drive.to=0.03 --set drive.steps=20 --quiet
run 0 drive elbow.xml -o pieces --continue --set drive.steps=60
sed -n '/mean/p;/motive force  /p;/load /p;/work /p' out >parts.means
check cmp whole.means parts.means
check cmp driven/trajectory.csv pieces/trajectory.csv
run 1 drive elbow.xml -o pieces --continue --set drive.to=0.05
says err 'drive.to="0.05".*drive.to="0.03"'
rm -r driven pieces

# sample: in pieces, by every method; what a checkpoint of walkers is for.
for method in umbrella metadynamics; do
    study=(--set sample.method=$method --set sample.temperature=310 --processes 1)
    run 0 sample elbow.xml -o one "${study[@]}" --quiet
    run 0 sample elbow.xml -o two "${study[@]}" --set sample.steps=200 --quiet
    run 0 sample elbow.xml -o two --continue --set sample.steps=400 --processes 2 --quiet
    for file in COLVAR checkpoint.cardo pmf.csv; do check cmp one/$file two/$file; done
    run 0 sample -o two --continue --set sample.target=3 --set sample.bins=5 --quiet
    check test "$(wc -l <two/pmf.csv)" = 6
    run 1 sample elbow.xml -o two --continue --set sample.temperature=300
    says err 'temperature="300".*temperature="310"'
    run 1 sample elbow.xml -o two --continue --set sample.method=scan
    says err 'method="scan"'
    run 1 sample elbow.xml -o two --continue --set sample.to=0.3
    says err 'to="0.3"'
    rm -r one two
    [ -z "${CARDO_SANITIZE:-}" ] || break
done

# A worker that is killed: an error with its reason, which is no interruption, and a checkpoint to go on from.
started sample elbow.xml -o team --set sample.steps=100000000 --processes 2
worker=$(pgrep -P $id | head -1)
run 1 sample elbow.xml -o team --force
says err "process $id"
check kill -KILL "$worker"
ended 3
says background.err 'process 2 of 2 was killed by signal 9 .*--continue goes on'
check test ! -e team/.cardo.lock
run 1 sample elbow.xml -o team --quiet
says err 'holds a run already'
rm -r team

# A refused or failed start leaves nothing, wherever it was refused.
for words in "simulate --set simulate.integrator=nonsense" "simulate --set simulate.timestep=nan" "simulate --set simulate.events=x=1" \
    "simulate --set simulate.steps=-1" "simulate --at nobody=1" "simulate --from missing.csv" "simulate --set simulate.events=constant" \
    "sample --set sample.from=2 --set sample.to=1" "sample --set sample.highest-start=0 --set sample.to=9" "sample --processes 0" \
    "drive --set drive.body=nobody" "drive --set drive.integrator=hmc" "minimize --set minimize.tolerance=-1" \
    "modes --set modes.stiffness=none" "energy --scan constant=0:1" "energy --scan nobody=0:1:3"; do
    "$cardo" ${words%% *} elbow.xml ${words#* } -o new/er --quiet >out 2>err
    check test $? -ge 1 -a $? -le 3
    check test -s err
    nothing_left new
done
mkdir mine
echo "not Cardo's" >mine/topology.pdb
run 1 simulate elbow.xml -o mine --set simulate.events=nobody=1
check test "$(files mine)" = 'topology.pdb '
check grep -q "not Cardo's" mine/topology.pdb
run 1 simulate elbow.xml -o elbow.xml
says err 'is no folder'
if [ "$(id -u)" != 0 ]; then
    chmod a-w mine
    run 1 simulate elbow.xml -o mine
    says err 'mine: cannot be written'
    chmod u+w mine
fi
# one that is cut off while it starts blocks nothing either
run 0 simulate elbow.xml -o mine --quiet
rm -r mine

# --force: nothing of the former run, of whichever study, but all that others put there.
run 0 simulate elbow.xml -o forced --quiet --set simulate.trajectory=dcd --set "simulate.events=constant=0.01"
touch forced/notes.txt forced/pmf.csv forced/minimized.pdb forced/trajectory.mp4
touch forced/trajectory.png forced/energy.svg
ln -s ../elbow.xml forced/trajectory.pdb
run 0 simulate elbow.xml -o forced --force --quiet --set simulate.trajectory=none
run 0 simulate elbow.xml -o fresh --quiet --set simulate.trajectory=none
rm forced/notes.txt forced/pmf.csv forced/minimized.pdb forced/trajectory.mp4 forced/trajectory.pdb
check test "$(files forced)" = "$(files fresh)"
rm -r fresh
run 1 minimize elbow.xml -o forced --quiet
says err 'holds a run already; --force'
run 0 minimize elbow.xml -o forced --force --quiet
run 0 minimize elbow.xml -o fresh --quiet
check test "$(files forced)" = "$(files fresh)"
rm -r fresh
run 0 modes elbow.xml -o forced --force --quiet --set modes.animate=2
run 0 modes elbow.xml -o fresh --quiet --set modes.animate=2
check test "$(files forced)" = "$(files fresh)"
rm -r fresh
run 0 sample elbow.xml -o forced --force --quiet --processes 1 --set sample.states="-0.05:0.02 0.02:0.1"
run 0 sample elbow.xml -o forced --force --quiet --processes 1 --set sample.method=scan --set sample.places=9
run 0 sample elbow.xml -o fresh --quiet --processes 1 --set sample.method=scan --set sample.places=9
check test "$(files forced)" = "$(files fresh)"
rm -r fresh
run 0 energy elbow.xml --scan constant=0:0.1:3 -o forced --force
run 0 energy elbow.xml --scan constant=0:0.1:3 -o fresh
check test "$(files forced)" = "$(files fresh)"
# a command that is refused has not begun, and takes nothing away
run 0 simulate elbow.xml -o forced --force --quiet
files forced >before.txt
cp -r forced before
run 1 simulate elbow.xml -o forced --force --quiet --set simulate.timestep=-1
run 1 simulate elbow.xml -o forced --force --quiet --set forcefield.table=0
run 1 simulate elbow.xml -o forced --force --quiet --set simulate.trajectory-interval=0
check diff -r before forced
rm -r before
check test "$(files forced)" = "$(cat before.txt)"

# Single files: whole or not there, and one process at a time.
run 1 fit elbow.xml "$source_tree/pdb/2mcg_2.pdb" missing.pdb --table table.csv --output fitted.pdb
nothing_left table.csv fitted.pdb
run 1 fit elbow.xml "$source_tree/pdb/2mcg_2.pdb" --table /dev/null
says err 'no plain file'
run 1 prepare "$source_tree/pdb/2mcg_1.pdb" -o no/where.pdb --no-relax
run 1 prepare "$source_tree/pdb/2mcg_1.pdb" -o /dev/null --no-relax --force
check test -c /dev/null
nothing_left no
finish
