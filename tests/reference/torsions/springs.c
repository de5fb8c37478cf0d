/* Langevin dynamics of the atoms of a small molecule whose stiff terms have a step of their own (chain.py, which writes what it reads; README.md).
 * Knows nothing of Cardo.
 *
 *     cc -O3 -march=native -ffast-math -o springs springs.c -lm
 *     springs TERMS TEMPERATURE STEP INNER PICOSECONDS EVERY SEED     angles (rad) and the slow energy (kJ/mol) every so many ps
 *     springs TERMS forces <POSITIONS                                  energy and forces at positions (nm), to be compared with others'
 *
 * BAOAB (Leimkuhler & Matthews 2013, J. Chem. Phys. 138, 174102) in INNER steps, half a kick of the slow terms before and after them. Its
 * positions are exactly distributed where forces are linear, at any stable step: stiff springs are just that. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATOMS = 128, TERMS = 1024 };

typedef struct bond {
    int a, b;
    double at, k;
} bond;

typedef struct angle {
    int a, b, c;
    double at, k;
} angle;

typedef struct torsion { /* k (1 + cos(n phi - phase)) */
    int atom[4], n;
    double cosine, sine, k; /* of the phase */
} torsion;

typedef struct torsions {
    int n;
    torsion list[TERMS];
} torsions;

static int natom, nbond, nangle, nreported;
static double mass[ATOMS], x[3][ATOMS], v[3][ATOMS], fast[3][ATOMS], slow[3][ATOMS];
static bond bonds[TERMS];
static angle angles[TERMS];
static torsions stiff, soft;
static int reported[TERMS][4];
/* Of each pair, what is over r, r^6 and r^12; zero where it is none. */
static double coulomb[ATOMS][ATOMS], attraction[ATOMS][ATOMS], repulsion[ATOMS][ATOMS];

static uint64_t state;

static double uniform(void) /* splitmix64; in (0, 1) */
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static double normal(void) /* Marsaglia's polar method */
{
    static double kept;
    static int have;
    double a, b, s;
    if (have) {
        have = 0;
        return kept;
    }
    do {
        a = 2 * uniform() - 1;
        b = 2 * uniform() - 1;
        s = a * a + b * b;
    } while (s >= 1);
    s = sqrt(-2 * log(s) / s);
    kept = a * s;
    have = 1;
    return b * s;
}

static void between(int a, int b, double *d)
{
    for (int k = 0; k < 3; ++k)
        d[k] = x[k][b] - x[k][a];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double stretch(const bond *t, double f[3][ATOMS])
{
    double d[3];
    between(t->a, t->b, d);
    const double r = sqrt(dot(d, d)), off = r - t->at;
    for (int k = 0; k < 3; ++k) {
        f[k][t->a] += t->k * off / r * d[k];
        f[k][t->b] -= t->k * off / r * d[k];
    }
    return 0.5 * t->k * off * off;
}

static double bend(const angle *t, double f[3][ATOMS])
{
    double u[3], w[3];
    between(t->b, t->a, u);
    between(t->b, t->c, w);
    const double uu = dot(u, u), ww = dot(w, w), uw = dot(u, w);
    const double cosine = uw / sqrt(uu * ww), off = acos(cosine) - t->at;
    const double pull = t->k * off / sqrt(1 - cosine * cosine);
    for (int k = 0; k < 3; ++k) {
        const double on_a = pull * (w[k] / sqrt(uu * ww) - cosine * u[k] / uu);
        const double on_c = pull * (u[k] / sqrt(uu * ww) - cosine * w[k] / ww);
        f[k][t->a] += on_a;
        f[k][t->c] += on_c;
        f[k][t->b] -= on_a + on_c;
    }
    return 0.5 * t->k * off * off;
}

/* Cosine and sine of a dihedral, and what its gradient is made of (Blondel & Karplus 1996). */
static void dihedral(const int *atom, double *cosine, double *sine, double m[3], double n[3],
                     double e[3], double f[3], double h[3])
{
    between(atom[1], atom[0], f);
    between(atom[2], atom[1], e);
    between(atom[2], atom[3], h);
    cross(f, e, m);
    cross(h, e, n);
    const double length = sqrt(dot(m, m) * dot(n, n));
    double both[3];
    cross(n, m, both);
    *cosine = dot(m, n) / length;
    *sine = dot(both, e) / (length * sqrt(dot(e, e)));
}

static double turn(const torsion *t, double force[3][ATOMS])
{
    double cosine, sine, m[3], n[3], e[3], f[3], h[3], c = 1, s = 0;
    dihedral(t->atom, &cosine, &sine, m, n, e, f, h);
    for (int k = 0; k < t->n; ++k) {
        const double next = c * cosine - s * sine;
        s = s * cosine + c * sine;
        c = next;
    }
    const double slope = -t->k * t->n * (s * t->cosine - c * t->sine), length = sqrt(dot(e, e));
    const double by_m = slope * length / dot(m, m), by_n = slope * length / dot(n, n);
    const double fe = dot(f, e) / (length * length), he = dot(h, e) / (length * length);
    for (int k = 0; k < 3; ++k) {
        const double first = by_m * m[k], last = -by_n * n[k], middle = fe * first + he * last;
        force[k][t->atom[0]] += first;
        force[k][t->atom[1]] -= middle + first;
        force[k][t->atom[2]] += middle - last;
        force[k][t->atom[3]] += last;
    }
    return t->k * (1 + c * t->cosine + s * t->sine);
}

static double turns(const torsions *all, double f[3][ATOMS])
{
    double energy = 0;
    for (int k = 0; k < all->n; ++k)
        energy += turn(&all->list[k], f);
    return energy;
}

static double stiff_forces(void)
{
    double energy = 0;
    memset(fast, 0, sizeof fast);
    for (int k = 0; k < nbond; ++k)
        energy += stretch(&bonds[k], fast);
    for (int k = 0; k < nangle; ++k)
        energy += bend(&angles[k], fast);
    return energy + turns(&stiff, fast);
}

static double soft_forces(void)
{
    double energy = 0;
    memset(slow, 0, sizeof slow);
    for (int i = 0; i < natom; ++i) {
        double on[3] = {0};
        for (int j = i + 1; j < natom; ++j) {
            const double dx = x[0][j] - x[0][i], dy = x[1][j] - x[1][i], dz = x[2][j] - x[2][i];
            const double r2 = 1 / (dx * dx + dy * dy + dz * dz), r1 = coulomb[i][j] * sqrt(r2),
                         r6 = r2 * r2 * r2;
            const double near = repulsion[i][j] * r6 * r6, far = attraction[i][j] * r6;
            const double push = (r1 + 12 * near - 6 * far) * r2;
            energy += r1 + near - far;
            on[0] += push * dx;
            on[1] += push * dy;
            on[2] += push * dz;
            slow[0][j] += push * dx;
            slow[1][j] += push * dy;
            slow[2][j] += push * dz;
        }
        for (int k = 0; k < 3; ++k)
            slow[k][i] -= on[k];
    }
    return energy + turns(&soft, slow);
}

static void kick(double f[3][ATOMS], double time)
{
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < natom; ++i)
            v[k][i] += time / mass[i] * f[k][i];
}

static void drift(double time)
{
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < natom; ++i)
            x[k][i] += time * v[k][i];
}

static void bath(double kT, double left)
{
    const double spread = sqrt(kT * (1 - left * left));
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < natom; ++i)
            v[k][i] = left * v[k][i] + spread / sqrt(mass[i]) * normal();
}

static double number(FILE *file)
{
    double value;
    if (fscanf(file, "%lf", &value) != 1)
        exit((fprintf(stderr, "a number is missing\n"), 1));
    return value;
}

static int count(FILE *file, int most)
{
    const int n = (int)number(file);
    if (n < 0 || n > most)
        exit((fprintf(stderr, "%d is not within 0 and %d\n", n, most), 1));
    return n;
}

static void read_torsions(FILE *file, torsions *all)
{
    all->n = count(file, TERMS);
    for (int k = 0; k < all->n; ++k) {
        torsion *t = &all->list[k];
        for (int i = 0; i < 4; ++i)
            t->atom[i] = count(file, natom);
        t->n = count(file, 6);
        const double phase = number(file);
        t->cosine = cos(phase);
        t->sine = sin(phase);
        t->k = number(file);
    }
}

static void read_positions(FILE *file)
{
    for (int i = 0; i < natom; ++i)
        for (int k = 0; k < 3; ++k)
            x[k][i] = number(file);
}

static void read_terms(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        exit((perror(path), 1));
    natom = count(file, ATOMS);
    read_positions(file);
    for (int i = 0; i < natom; ++i)
        mass[i] = number(file);
    nbond = count(file, TERMS);
    for (int k = 0; k < nbond; ++k) {
        bonds[k].a = count(file, natom);
        bonds[k].b = count(file, natom);
        bonds[k].at = number(file);
        bonds[k].k = number(file);
    }
    nangle = count(file, TERMS);
    for (int k = 0; k < nangle; ++k) {
        angles[k].a = count(file, natom);
        angles[k].b = count(file, natom);
        angles[k].c = count(file, natom);
        angles[k].at = number(file);
        angles[k].k = number(file);
    }
    read_torsions(file, &stiff);
    read_torsions(file, &soft);
    for (int i = 0; i < natom; ++i)
        for (int j = i + 1; j < natom; ++j) {
            coulomb[i][j] = number(file);
            const double sigma6 = pow(number(file), 6), epsilon = number(file);
            attraction[i][j] = 4 * epsilon * sigma6;
            repulsion[i][j] = attraction[i][j] * sigma6;
        }
    nreported = count(file, TERMS);
    for (int k = 0; k < nreported; ++k)
        for (int i = 0; i < 4; ++i)
            reported[k][i] = count(file, natom);
    fclose(file);
}

static void report(double energy)
{
    for (int k = 0; k < nreported; ++k) {
        double cosine, sine, m[3], n[3], e[3], f[3], h[3];
        dihedral(reported[k], &cosine, &sine, m, n, e, f, h);
        printf("%.4f ", atan2(sine, cosine));
    }
    printf("%.3f\n", energy);
}

static void print_forces(void)
{
    read_positions(stdin);
    const double energy = stiff_forces() + soft_forces();
    printf("%.12g\n", energy);
    for (int i = 0; i < natom; ++i)
        printf("%.12g %.12g %.12g\n", fast[0][i] + slow[0][i], fast[1][i] + slow[1][i],
               fast[2][i] + slow[2][i]);
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        read_terms(argv[1]);
        print_forces();
        return 0;
    }
    if (argc != 8)
        return fprintf(stderr, "see the source\n"), 2;
    read_terms(argv[1]);
    const double kT = 8.31446261815324e-3 * atof(argv[2]), h = atof(argv[3]), friction = 1;
    const int inner = atoi(argv[4]);
    const long long every = llround(atof(argv[6]) / (h * inner)),
                    steps = llround(atof(argv[5]) / (h * inner));
    state = strtoull(argv[7], NULL, 10);
    bath(kT, 0);
    stiff_forces();
    double energy = soft_forces(), twice_kinetic = 0;
    for (long long step = 1; step <= steps; ++step) {
        kick(slow, 0.5 * h * inner);
        for (int k = 0; k < inner; ++k) {
            kick(fast, 0.5 * h);
            drift(0.5 * h);
            bath(kT, exp(-friction * h));
            drift(0.5 * h);
            stiff_forces();
            kick(fast, 0.5 * h);
        }
        energy = soft_forces();
        kick(slow, 0.5 * h * inner);
        for (int k = 0; k < 3; ++k)
            for (int i = 0; i < natom; ++i)
                twice_kinetic += mass[i] * v[k][i] * v[k][i];
        if (step % every == 0)
            report(energy);
    }
    fprintf(stderr, "mean temperature %.2f K\n",
            twice_kinetic / (double)(3 * natom) / (double)steps / 8.31446261815324e-3);
    return 0;
}
