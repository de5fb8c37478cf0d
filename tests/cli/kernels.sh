#!/usr/bin/env bash
# The instructions of the rigid provider, by the model or by CARDO_KERNELS: the same energies and forces but for rounding; those that
# the processor lacks are refused.
. "$(dirname "$0")/support.sh"

write_model elbow.xml 'solvent="obc2" provider="rigid" threads="1"' ''
run 0 energy elbow.xml --at constant=0.02 --json && cp out widest.json
for kernels in plain avx2 avx512; do
    "$cardo" energy elbow.xml --at constant=0.02 --json --set forcefield.kernels=$kernels >$kernels.json 2>err || {
        says err 'do not run on this processor'
        check test $kernels != plain
        rm $kernels.json
        continue
    }
    CARDO_KERNELS=$kernels "$cardo" energy elbow.xml --at constant=0.02 --json >environment.json
    check cmp environment.json $kernels.json
done
check python3 - <<'PY'
import glob, json, sys
kinds = {name[:-5]: json.load(open(name)) for name in glob.glob("*.json") if name != "environment.json"}
widest = kinds.pop("widest")
print("widest beside", ", ".join(kinds))
size = max(abs(x) for x in widest["energies_kJ_per_mol"].values())
force = max(abs(x) for x in widest["generalized_forces"].values())
ok = "plain" in kinds
for kind in kinds.values():
    ok &= abs(kind["potential_kJ_per_mol"] - widest["potential_kJ_per_mol"]) < 2e-6 * size
    ok &= all(abs(kind["generalized_forces"][k] - f) < 2e-6 * force for k, f in widest["generalized_forces"].items())
if "avx2" in kinds:
    ok &= kinds["avx2"]["potential_kJ_per_mol"] != kinds["plain"]["potential_kJ_per_mol"]
sys.exit(not ok)
PY
run 0 energy elbow.xml --set forcefield.kernels=plain
says out 'rigid, mixed precision, kernels plain'
CARDO_KERNELS=avx2 run 0 energy elbow.xml --set forcefield.kernels=plain
says out 'kernels plain'
CARDO_KERNELS=sse9 run 1 energy elbow.xml
says err 'kernels "sse9" do not run on this processor, or do not exist: there are avx512, avx2 and plain'
run 1 energy elbow.xml --set forcefield.kernels=sse9
finish
