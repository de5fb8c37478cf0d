#!/usr/bin/env bash
# The page of runs in a headless browser: it opens from disk without an error and without a network, its slider moves atoms, its own
# kinematics agree with the library's for every joint of model files, curves have the values of the tables, and names cannot break out.
. "$(dirname "$0")/support.sh"
here=$source_tree/tests/cli

# model NAME BASE JOINT [MORE]: the elbow with this joint
model() {
    cat >"$1.xml" <<XML
<cardo version="1">
  <model name="elbow &lt;/script&gt;&lt;b id='broken'&gt;">
$(elbow_domains)
    <body name="variable" domains="variable" base="$2"/>
    <body name="constant" domains="constant" parent="variable">$3</body>
    ${4:-}
    <forcefield files="kim-hummer.xml"/>
  </model>
  <simulate timestep="100 fs" steps="40" report-interval="1" trajectory-interval="40" trajectory="pdb"/>
</cardo>
XML
}
model screw free '<path/>'
model euler welded '<path interpolation="euler"/>'
model pin free '<pin/>'
model ball welded '<ball/>'
model slider welded '<slider point="0 0 0" axis="1 2 3"/>'
model strand welded '<strand/>' '<flexible residues="109-112" torsions="phi psi"/>'
without_pictures
for joint in screw euler pin ball slider strand; do
    run 0 simulate $joint.xml -o $joint --quiet
done
run 1 report . -o none.html
says err 'holds no run'
run 2 report
run 0 energy screw.xml --scan constant=0:1:7 -o scanned
run 0 fit screw.xml "$source_tree/pdb/2mcg_1.pdb" "$source_tree/pdb/2mcg_2.pdb" --table fit.csv
run 0 report screw scanned fit.csv -o page.html
json screw/result.json "d['quantities']['time_ps']['unit'] == 'ps'"
check test "$(stat -c %s page.html)" -lt 2000000
check test -z "$(grep "<b id" page.html)"
if command -v tidy >/dev/null; then
    tidy -q -e --drop-empty-elements no page.html 2>tidy.out
    check test -z "$(grep -E 'Error|Warning' tidy.out | grep -v 'proprietary')"
    cat tidy.out
else
    echo "note: tidy is missing: HTML was not looked at"
fi
# What is in a page is the same from a sanitized build.
[ -z "${CARDO_SANITIZE:-}" ] || finish
# pages of the examples
RUNS=$work/pages CARDO=$cardo "$source_tree/examples/pages.sh" --quick mcg modes mixed >pages.out || failures=$((failures + 1))
says pages.out '^3 pages'
for name in mcg modes mixed; do
    check test -s pages/$name.html -a "$(stat -c %s pages/$name.html)" -lt 2000000
done
if ! command -v chromium >/dev/null; then
    [ $failures = 0 ] || finish
    echo "SKIPPED: chromium is missing, the page was not opened"
    exit 77
fi
check python3 "$here/report_page.py" page.html screw euler pin ball slider strand
finish
