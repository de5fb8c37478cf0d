#!/usr/bin/env bash
# cardo sample by scan: its table, and the relaxed scan against cardo drive without dynamics, which holds the coordinate otherwise.
. "$(dirname "$0")/support.sh"

without_pictures
short_elbow
cat >elbow.xml <<XML
<cardo version="1">
  <model name="elbow">
$(elbow_domains)
    <body name="variable" domains="variable" base="welded"/>
    <body name="constant" domains="constant" parent="variable"><path/></body>
    <flexible residues="1:89 1:103 1:132" torsions="chi"/>
    <forcefield files="ff14SB.xml" solvent="none" provider="rigid" precision="double" threads="1"/>
  </model>
  <sample method="scan" coordinate="constant" from="0" to="0.03" places="4" bins="3" relax-tolerance="0.001"/>
  <drive body="constant" mode="quasi-static" motion="ramp" from="0" to="0.03" duration="0.3 ps" timestep="100 fs" tolerance="0.001"
         report-interval="1"/>
</cardo>
XML
run 0 sample elbow.xml -o stands
says out '^not a free energy: the other coordinates stay'
says out '^worst of all: .* kJ/mol\), at '
says out '^  scan.csv '
check test "$(wc -l <stands/scan.csv)" = 5
check test ! -e stands/COLVAR -a ! -e stands/scan-down.csv
says stands/scan.csv '^constant,potential \(kJ/mol\),metric term \(kJ/mol\),motive force .*,load constant torque x .*,worst contact \(kJ/mol\)'

begun=$SECONDS
run 0 sample elbow.xml -o relaxed --set sample.relaxed=yes
says out '^the ways up and down differ by .* kJ/mol at most, at constant'
says out '^the adiabatic profile'
# Of what takes no second a log has no lines.
[ $((SECONDS - begun)) -lt 3 ] || says err '100 %  point 12 of 12  0 s left'
check test -s relaxed/scan-down.csv
# A sanitizer has seen both programs' code by now, and learns nothing from figures.
[ -z "${CARDO_SANITIZE:-}" ] || finish
run 0 sample elbow.xml -o two --set sample.relaxed=yes --processes 2 --quiet
check cmp relaxed/scan.csv two/scan.csv
check cmp relaxed/checkpoint.cardo two/checkpoint.cardo
run 0 drive elbow.xml -o driven --quiet
# Both are minima in double precision. The scan's stand within a hundredth of the spacing of their places, so its forces and loads are
# off by that part of what they change by from place to place, and its potential by half of that over this distance.
check python3 - <<'PY'
import csv, sys
def read(name):
    return [{k.split(" (")[0]: float(v) for k, v in row.items()} for row in csv.DictReader(open(name))]
stands, up, driven = read("stands/scan.csv"), read("relaxed/scan.csv"), read("driven/trajectory.csv")
ok = len(stands) == len(up) == len(driven) == 4
loads = [k for k in up[0] if k.startswith("load constant")]
ok &= len(loads) == 6
def off(column, n): # twice the steeper secant to a neighbour: slopes change along the course
    return 0.02 * max(abs(driven[n][column] - driven[m][column]) for m in (n - 1, n + 1) if 0 <= m < 4)
for n, (s, u, d) in enumerate(zip(stands, up, driven)):
    ok &= abs(u["constant"] - d["q constant"]) < 1e-9
    force = off("motive force constant", n)
    print(u["constant"], s["potential"], u["potential"], d["potential"], u["motive force"], d["motive force constant"], force)
    ok &= u["potential"] < s["potential"] - 1 and abs(u["potential"] - d["potential"]) < 0.5 * force * 1e-4 + 1e-5
    ok &= abs(u["motive force"] - d["motive force constant"]) < force
    size = max(off(k, n) for k in loads)
    ok &= all(abs(u[k] - d[k]) < size for k in loads)
    ok &= u["minimum reached"] == 1
sys.exit(not ok)
PY
finish
