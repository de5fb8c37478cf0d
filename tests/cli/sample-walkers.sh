#!/usr/bin/env bash
# cardo sample by metadynamics and adaptive-force: files that agree with each other, --continue, and wrong set-ups of all methods, which
# are told at once and say what to type.
. "$(dirname "$0")/support.sh"

without_pictures
elbow() { # force field attributes, sample attributes
    cat <<XML
<cardo version="1">
  <model name="elbow">
$(elbow_domains)
    <body name="variable" domains="variable" base="welded"/>
    <body name="constant" domains="constant" parent="variable"><path/></body>
    <forcefield $1/>
  </model>
  <sample integrator="langevin" friction="1" round="50" interval="10" bins="20" bootstrap="5" parts="4" replicas="1" $2/>
</cardo>
XML
}
elbow 'files="elastic-network.xml"' 'from="-0.004" to="0.008" timestep="50 fs" walkers="2" steps="2000" equilibration="300"
          states="-0.004:0 0:0.004" width="0.0008" height="1"' >soft.xml

# Metadynamics: hills in HILLS are those whose sum, with their images behind the ends, COLVAR's samples felt.
run 0 sample soft.xml -o hills --set sample.method=metadynamics
says out '^2 walkers, each: after every 50 steps a hill of width 0.0008 and height 1 '
says out '^the bias differs by '
says out '^  HILLS  '
for file in pmf.csv states.csv convergence.csv COLVAR HILLS checkpoint.cardo run.json plot.gp; do
    check test -s hills/$file
done
check test ! -e hills/windows.csv
says hills/HILLS '^#! FIELDS time constant sigma_constant height biasf walker$'
check test "$(grep -vc '^#' hills/HILLS)" = 80
check test "$(grep -vc '^#' hills/COLVAR)" = 400
check python3 - <<'PY'
import math, sys
def rows(name):
    return [[float(x) for x in line.split()] for line in open("hills/" + name) if line[0] != "#"]
hills, worst, most = rows("HILLS"), 0, 0
for time, q, walker, potential, bias in rows("COLVAR"):
    sum = 0
    for at, centre, width, height, factor, who in hills:
        if at < time - 1e-9:
            for image in (centre, -0.008 - centre, 0.016 - centre):
                sum += height * (factor - 1) / factor * math.exp(-0.5 * ((q - image) / width) ** 2)
    if -0.004 <= q <= 0.008: # walls stand beyond
        worst, most = max(worst, abs(sum - bias)), max(most, bias)
print("the bias is at most %.3g kJ/mol, off by %.2g" % (most, worst))
sys.exit(not (worst < 1e-5 * most and most > 3))
PY

# Adaptive force: the bias flattens the profile that comes out.
run 0 sample soft.xml -o force --set sample.method=adaptive-force --set sample.steps=4000
says out '^state 0 to 0.004 lies'
for file in pmf.csv states.csv COLVAR checkpoint.cardo run.json plot.gp; do
    check test -s force/$file
done
check test ! -e force/HILLS
check test "$(grep -vc '^#' force/COLVAR)" = 800

# What was stopped goes on to the same files; a longer run goes on from a shorter one. One method will do for a sanitizer.
methods=(metadynamics adaptive-force)
[ -z "${CARDO_SANITIZE:-}" ] || methods=(metadynamics)
for method in "${methods[@]}"; do
    run 0 sample soft.xml -o part --set sample.method=$method --set sample.steps=1000 --quiet
    run 0 sample soft.xml -o part --set sample.steps=2000 --continue --quiet
    run 0 sample soft.xml -o whole --set sample.method=$method --set sample.steps=2000 --quiet
    for file in pmf.csv states.csv COLVAR checkpoint.cardo; do
        check cmp part/$file whole/$file
    done
    [ $method = adaptive-force ] || check cmp part/HILLS hills/HILLS
    run 1 sample soft.xml -o part --set sample.method=$method --continue --set sample.walkers=3
    says err 'sample.walkers="3".*sample.walkers="2"'
    rm -r part whole
done
# A table that is not the checkpoint's is no beginning.
run 0 sample soft.xml -o cut --set sample.method=metadynamics --set sample.steps=500 --quiet
head -c 300 hills/COLVAR >cut/COLVAR
run 1 sample soft.xml -o cut --set sample.method=metadynamics --continue
says err 'COLVAR: has 300 bytes where the checkpoint counts'
sed -i 's/potential/pressure/' cut/COLVAR
run 1 sample soft.xml -o cut --set sample.method=metadynamics --continue
says err 'columns \(fields\) are not those of this run'

# Wrong set-ups, of atoms whose bodies meet on the way to constant = 0.9: told before the first round that counts.
short_elbow
elbow 'files="ff14SB.xml" solvent="none"' 'from="0" to="0.05" timestep="10 fs" walkers="1" windows="8" steps="1000" equilibration="200"' >hard.xml
sample() { # method, words that are set
    local method=$1
    shift
    rm -rf bad
    run 1 sample hard.xml -o bad --processes 1 --set sample.method="$method" "$@"
    check test ! -e bad/COLVAR
}
methods=(umbrella metadynamics adaptive-force scan)
[ -z "${CARDO_SANITIZE:-}" ] || methods=(umbrella scan)
for method in "${methods[@]}"; do
    sample $method --set sample.coordinate=constnat
    says err "no body 'constnat'.*did you mean 'constant'"
    sample $method --set sample.coordinate=constant.2
    says err "body 'constant' has 1 coordinate; choose one as constant.1"
    sample $method --set sample.from=0.02
    says err 'begins at constant = 0, outside of the range .*--set sample.from=0\), or begin inside \(--at constant=0.035\)'
    [ $method != scan ] || continue
    sample $method --set sample.to=0.9
    says err 'atoms clash \((contact|bond|angle) .* kJ/mol.*\), and a bias would press them.*sample that range \(--set sample.from=0 --set sample.to=0.[0-9]*\)'
done
sample umbrella --set sample.windows=3 --set sample.stiffness=4e5 --set sample.timestep=0.002
says err 'windows at constant = 0 and 0.025 do not overlap.*--set sample.windows=6 in place of 3'
sample umbrella --set sample.windows=3 --set sample.stiffness=4e11
says err 'too fast for steps of 0.01 ps: take a stiffness below'
sample metadynamics --set sample.width=3
says err 'hills of width 3 do not suit a range of 0.05'
sample metadynamics --set sample.variable=distance --set sample.a=1:88-108 --set sample.b=1:114-137
says err 'begins at distance = 3.2[0-9]*, outside.*widen the range \(--set sample.to=3.2[0-9]*\), or begin inside \(--from'
sample adaptive-force --set sample.variable=distance --set sample.a=1:88-108 --set sample.b=1:114-137 --set sample.from=2 --set sample.to=4
says err 'adaptive-force needs a coordinate.*sample it by umbrella or metadynamics'
# Hills that are higher than any clash may be are told after the first round.
run 1 sample hard.xml -o high --set sample.method=metadynamics --set sample.height=900 --set sample.width=0.005 --set sample.steps=1000
says err 'hills lift walkers by .*more than highest-start=500'
finish
