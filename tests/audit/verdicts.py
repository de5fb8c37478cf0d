#!/usr/bin/python3
"""Is "converged" kept? Many studies of the slider (slider.py), from too short to long enough, by every method that walks; F of the upper
half of the range against the lower one is known by quadrature. Counted for targets of 1, 0.5 and 0.2 kT: how many said "converged", how
many of these were further off than three of their own standard errors, and than the target. A study is made once, for 1 kT: a smaller
target asks for nothing but smaller error bars, which are read off the output. The scan, which is exact, is compared to 2e-5 kT, and is all that --quick does.

  verdicts.py [--cardo PROGRAM] [--quick] [--seeds 20] [--steps 8000 40000] [--methods metadynamics umbrella adaptive-force]
"""

import json
import sys

from common import GAS_CONSTANT, Audit, np
from slider import Slider, write_model

METHODS = {
    "metadynamics": 'method="metadynamics"',
    "umbrella": 'method="umbrella" windows="8" exchange="yes" round="100"',
    "adaptive-force": 'method="adaptive-force"',
}
FROM, MIDDLE, TO = -0.2, 0.6, 1.4
TEMPERATURE = 300.0
TARGETS = (1.0, 0.5, 0.2)


def difference(slider, free, fixman):
    """F of the upper half of the range less that of the lower one, kT."""
    density = slider.density(free, fixman, TEMPERATURE)
    below = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2 * np.diff(slider.q))])
    at = [np.interp(q, slider.q, below) for q in (FROM, MIDDLE, TO)]
    return -np.log((at[2] - at[1]) / (at[1] - at[0]))


def main():
    audit = Audit(__doc__, [("--seeds", dict(type=int, default=20)), ("--each", dict(action="store_true")), ("--first", dict(type=int, default=1)),
                            ("--steps", dict(nargs="+", type=int, default=[8000, 40000])),
                            ("--methods", dict(nargs="+", default=list(METHODS)))])
    options = audit.options
    kT = GAS_CONSTANT * TEMPERATURE
    slider = Slider(audit)
    for base in ("free", "welded"):
        for ensemble in ("rigid", "fixman"):
            model = write_model(audit, "scan.xml", base, '<sample method="scan" temperature="%g" from="%g" to="%g" places="401" ensemble="%s" '
                                'states="%g:%g %g:%g"/>' % (TEMPERATURE, FROM, TO, ensemble, FROM, MIDDLE, MIDDLE, TO))
            found = json.loads(audit.must("sample", model, "--json", "--quiet", "--force", "--out", "scan"))
            F, truth = found["states"][1]["F_kJ_per_mol"] / kT, difference(slider, base == "free", ensemble == "fixman")
            audit.check(abs(F - truth) < 2e-5, "scan, %s, %s: %.6f kT, by quadrature %.6f" % (base, ensemble, F, truth))
    if options.quick:
        audit.end()
    truth = difference(slider, True, False)
    print("truth: %.6f kT" % truth)
    for method in options.methods:
        for steps in options.steps:
            share = {"umbrella": 8}.get(method, 1)  # as many steps in all
            said, wrong, missed, deviations, blank = [0] * 3, [0] * 3, [0] * 3, [], 0
            for seed in range(options.first, options.first + options.seeds):
                model = write_model(audit, "study.xml", "free",
                                    '<sample %s integrator="baoab" friction="1" timestep="50 fs" temperature="%g" from="%g" to="%g" '
                                    'steps="%d" states="%g:%g %g:%g" target="1" equilibration="500" pull="4000" interval="5" seed="%d" '
                                    'checkpoint="1000"/>' % (METHODS[method], TEMPERATURE, FROM, TO, max(1000, steps // share), FROM, MIDDLE,
                                                             MIDDLE, TO, seed))
                status, out, err = audit.run("sample", model, "--json", "--quiet", "--force", "--out", "study", "--processes", 1)
                if status != 0:
                    audit.check(False, "%s, %d steps, seed %d: exit status %d: %s" % (method, steps, seed, status, err.strip()[-300:]))
                    continue
                found = json.loads(out)
                state = found["states"][1]
                F, sigma = state["F_kJ_per_mol"], state["sigma_kJ_per_mol"]
                if F is None:
                    blank += 1
                    audit.failures += found["converged"]
                    continue
                F, sigma = F / kT, sigma / kT
                if options.each:
                    print("%s seed %d: %.5f +- %.5f kT, %s" % (method, seed, F, sigma, "converged" if found["converged"] else "not"))
                deviations.append((F - truth) / sigma)
                widest = max([s / kT for s in found["sigma_kJ_per_mol"] if s is not None] + [sigma])
                for i, target in enumerate(TARGETS):
                    if found["converged"] and widest <= target:
                        said[i] += 1
                        wrong[i] += abs(F - truth) > 3 * sigma
                        missed[i] += abs(F - truth) > 3 * target
            beyond = np.abs(deviations) if deviations else np.array([np.nan])
            # Eight of a thousand, and no less than chance needs to be told from it at so few studies.
            allowed = max(1, int(np.ceil(0.008 * options.seeds)))
            audit.check(all(w <= allowed for w in wrong) and not any(missed),
                        "%-15s %6d steps, %d studies: said converged %s, of them beyond 3 sigma %s, beyond 3 targets %s "
                        "(targets %s kT); %d without a number; the others: rms %.2f sigma, largest %.1f" %
                        (method, steps, options.seeds, said, wrong, missed, list(TARGETS), blank, np.sqrt((beyond ** 2).mean()), beyond.max()))
    audit.end()


if __name__ == "__main__":
    sys.exit(main())
