#!/usr/bin/env bash
# cardo sample by scan: its table, and the relaxed scan against cardo drive without dynamics, which holds the coordinate otherwise.
. "$(dirname "$0")/support.sh"

cat >elbow.xml <<XML
<cardo version="1">
  <model name="elbow">
$(elbow_domains)
    <body name="variable" domains="variable" base="welded"/>
    <body name="constant" domains="constant" parent="variable"><path/></body>
    <flexible residues="1:10 1:39 1:167" torsions="chi"/>
    <forcefield files="ff14SB.xml" solvent="none" platform="CPU" threads="1"/>
  </model>
  <sample method="scan" coordinate="constant" from="0" to="0.03" places="4" bins="3"/>
  <drive body="constant" mode="quasi-static" motion="ramp" from="0" to="0.03" duration="0.3 ps" timestep="100 fs" tolerance="0.1"
         report-interval="1"/>
</cardo>
XML
run 0 sample elbow.xml -o stands
says out '^not a free energy: the other coordinates stand'
says out '^worst contact: .* kJ/mol\), at '
says out '^  scan.csv '
check test "$(wc -l <stands/scan.csv)" = 5
check test ! -e stands/COLVAR -a ! -e stands/scan-down.csv
says stands/scan.csv '^constant,potential \(kJ/mol\),metric term \(kJ/mol\),motive force .*,load constant torque x .*,worst contact \(kJ/mol\)'

run 0 sample elbow.xml -o relaxed --set sample.relaxed=yes
says out '^the ways up and down differ by .* kJ/mol at most, at constant'
says out '^the adiabatic profile'
says err '100 %  place 12 of 12  0 s left'
check test -s relaxed/scan-down.csv
run 0 sample elbow.xml -o two --set sample.relaxed=yes --processes 2 --quiet
check cmp relaxed/scan.csv two/scan.csv
check cmp relaxed/checkpoint.cardo two/checkpoint.cardo
run 0 drive elbow.xml -o driven --quiet
check python3 - <<'PY'
import csv, sys
def read(name):
    return [{k.split(" (")[0]: float(v) for k, v in row.items()} for row in csv.DictReader(open(name))]
stands, up, driven = read("stands/scan.csv"), read("relaxed/scan.csv"), read("driven/trajectory.csv")
ok = len(stands) == len(up) == len(driven) == 4
loads = [k for k in up[0] if k.startswith("load constant")]
for s, u, d in zip(stands, up, driven):
    ok &= abs(u["constant"] - d["q constant"]) < 1e-9
    print(u["constant"], s["potential"], u["potential"], d["potential"], u["motive force"], d["motive force constant"])
    ok &= u["potential"] < s["potential"] - 1 and abs(u["potential"] - d["potential"]) < 0.05
    ok &= abs(u["motive force"] - d["motive force constant"]) < 0.002 * abs(d["motive force constant"]) + 5
    size = max(abs(d[k]) for k in loads)
    ok &= len(loads) == 6 and all(abs(u[k] - d[k]) < 0.002 * size + 5 for k in loads)
    ok &= u["minimum reached"] == 1
sys.exit(not ok)
PY
finish
