#!/usr/bin/env bash
# cardo sample with replicas: files of each, the same bits from any number of processes and after a kill, and verdicts that
# no generous target buys.
. "$(dirname "$0")/support.sh"

cat >soft.xml <<XML
<cardo version="1">
  <model name="elbow">
$(elbow_domains)
    <body name="variable" domains="variable" base="welded"/>
    <body name="constant" domains="constant" parent="variable"><path/></body>
    <forcefield files="elastic-network.xml" parameters="stiffness=0.2"/>
  </model>
  <sample integrator="langevin" friction="1" round="50" interval="10" bins="12" bootstrap="5" coordinate="constant"
          from="-0.004" to="0.008" timestep="50 fs" walkers="1" equilibration="100" steps="2000" states="-0.004:0.002 0.002:0.008"
          checkpoint="0" target="100"/>
</cardo>
XML

same() { # folders that must agree in all that a study finds
    for file in pmf.csv states.csv replicas.csv convergence.csv COLVAR COLVAR.2 checkpoint.cardo; do
        check cmp "$1/$file" "$2/$file"
    done
}

study=(--set sample.method=metadynamics)
run 0 sample soft.xml "${study[@]}" -o one --processes 1
says out '^replica 2 of 2:'
says out '^replica 1: the bias differs by'
says out '^2 walkers of 2000 steps'
check test -s one/HILLS.2
check test "$(grep -vc '^#' one/COLVAR)" = "$(grep -vc '^#' one/COLVAR.2)"
check test "$(wc -l <one/replicas.csv)" = 13
run 0 sample soft.xml "${study[@]}" -o two --processes 2 --quiet
same one two
run 0 sample soft.xml "${study[@]}" -o short --set sample.steps=1000 --quiet
run 0 sample soft.xml "${study[@]}" -o short --set sample.steps=2000 --continue --quiet
same one short
check python3 - <<'PY'
rows = [[line.split()[1] for line in open("one/" + name) if line[0] != "#"] for name in ("COLVAR", "COLVAR.2")]
assert not set(rows[0]) & set(rows[1])
mean = lambda name, column: [float(line.split(",")[column]) for line in open("one/" + name).readlines()[1:]]
states, replica = mean("states.csv", 2), [mean("states.csv", 5), mean("states.csv", 7)]
assert abs(states[1] - 0.5 * (replica[0][1] + replica[1][1])) < 1e-6
# sigma is written with six digits
assert mean("states.csv", 3)[1] * (1 + 1e-5) >= 0.5 * abs(replica[0][1] - replica[1][1])
PY
run 1 sample soft.xml "${study[@]}" -o one --continue --set sample.replicas=3
says err 'replicas'

# A replica of odd number begins at the other end of the range.
run 0 sample soft.xml "${study[@]}" -o begins --set sample.equilibration=0 --set sample.round=10 --set sample.interval=1 --set sample.steps=10 --quiet
check python3 - <<'PY'
first, second = (float(next(line for line in open("begins/" + name) if line[0] != "#").split()[1]) for name in ("COLVAR", "COLVAR.2"))
print("begins near %.4g and %.4g" % (first, second))
assert abs(first) < 0.002 and abs(second - 0.008) < 0.002
PY

# One replica is never called converged, whatever the target; neither are walkers that never went to and fro.
run 0 sample soft.xml "${study[@]}" -o alone --set sample.replicas=1 --json
json out 'not d["converged"] and d["replicas"] == 1 and "one replica alone" in d["verdict"]'
run 0 sample soft.xml "${study[@]}" -o slow --set sample.friction=100 --set sample.steps=100 --json
json out 'not d["converged"] and ("passages" in d["verdict"] or "passage " in d["verdict"])'
# A long one is, but by chance not every time: one of ten.
for seed in 1 2 3 4 5 6 7 8 9 10; do
    run 0 sample soft.xml "${study[@]}" -o long --force --set sample.steps=20000 --set sample.round=500 --set sample.target=1 --set sample.seed=$seed --json
    grep -q '"converged": *true' out && break
done
json out 'd["converged"] and "agree" in d["verdict"]'
finish
