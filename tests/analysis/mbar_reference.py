#!/usr/bin/env python3
"""Free energies of pymbar (Debian's python3-pymbar) that tests/analysis/test_mbar.c compares with.

  mbar_reference.py > tests/analysis/mbar_reference.txt

Six states of one coordinate with quartic energies, one of them without samples and one 500 kT higher than the others. The
samples come from the generator of tests/support (splitmix64), so that the test makes the same ones; the solution does
not ask whether they are in equilibrium. Lines: f of the states; errors of f_j - f_i of independent samples (a row a state);
mean of x in the third state.
"""
import numpy
import pymbar

MASK = (1 << 64) - 1
COUNTS = [400, 300, 0, 350, 250, 500]
OFFSET = [0.0, 1.5, -2.0, 500.0, 3.0, -1.0]


def numbers(seed):
    state = seed
    while True:
        state = (state + 0x9e3779b97f4a7c15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & MASK
        z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & MASK
        z ^= z >> 31
        yield (z - (1 << 64) if z >> 63 else z) * 2.0 ** -63


def energy(k, x):
    d = x - 0.8 * k
    return (1 + 0.3 * k) * d * d + 0.1 * d ** 4 + OFFSET[k]


source = numbers(20080915)
x = []
for k, count in enumerate(COUNTS):
    for _ in range(count):
        x.append(0.8 * k + 0.6 * (next(source) + next(source) + next(source)))
x = numpy.array(x)
u = numpy.array([energy(k, x) for k in range(len(COUNTS))])
mbar = pymbar.MBAR(u, numpy.array(COUNTS), solver_tolerance=1e-13)
result = mbar.getFreeEnergyDifferences(return_dict=True)
f = mbar.f_k - mbar.f_k[0]
print(' '.join('%.15g' % v for v in f))
for row in result['dDelta_f']:
    print(' '.join('%.15g' % v for v in row))
print('%.15g' % mbar.computeExpectations(x, return_dict=True)['mu'][2])
