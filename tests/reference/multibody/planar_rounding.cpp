// Figures of the tables of stabilization (planar.json.gz) by a program that has nothing of Cardo: in quadruple precision, and in double precision with bodies and joints in 24 other orders, which are
// other orders of sums and of eliminations. For rows of penalties and of direct integration, whose figures double precision does not determine everywhere.
//   g++ -O2 -std=c++17 -ffp-contract=off planar_rounding.cpp -o planar_rounding -ljansson -lquadmath
//   zcat planar.json.gz > planar.json && ./planar_rounding planar.json | gzip -9n > planar_rounding.json.gz
#include <jansson.h>
#include <quadmath.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

static __float128 root(__float128 x)
{
    return sqrtq(x);
}
static __float128 sine(__float128 x)
{
    return sinq(x);
}
static __float128 cosine(__float128 x)
{
    return cosq(x);
}
static double root(double x)
{
    return std::sqrt(x);
}
static double sine(double x)
{
    return std::sin(x);
}
static double cosine(double x)
{
    return std::cos(x);
}
static long double root(long double x)
{
    return sqrtl(x);
}
static long double sine(long double x)
{
    return sinl(x);
}
static long double cosine(long double x)
{
    return cosl(x);
}
template <class R> static R absolute(R x)
{
    return x < 0 ? -x : x;
}

enum { MOST = 16, ROWS = 16 };

struct joint {
    bool slides;
    int body1, body2;
    double point1[2], point2[2], normal1[2], offset;
};

struct mechanism {
    int nb, nrow;
    double mass[MOST][2], gravity[2], torque[MOST];
    std::vector<joint> joints;
    double q[3 * MOST], v[3 * MOST], end[3 * MOST];
    bool pinv;
};

static double number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}
static const char *text(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}
static void list(const json_t *o, const char *key, double *out)
{
    size_t i;
    json_t *x;
    json_array_foreach(json_object_get(o, key), i, x) out[i] = json_number_value(x);
}

// order: of bodies and of joints
static mechanism read(const json_t *files, const char *name, unsigned seed)
{
    const json_t *file = json_object_get(files, name), *system = json_object_get(file, "system");
    mechanism m{};
    size_t i;
    json_t *x;
    m.nb = (int)json_array_size(json_object_get(system, "bodies"));
    int place[MOST + 1] = {0};
    std::vector<int> order(m.nb), turn;
    std::iota(order.begin(), order.end(), 0);
    auto shuffle = [&](std::vector<int> &a) {
        for (size_t k = a.size(); seed && k > 1; --k) {
            seed = seed * 1664525u + 1013904223u;
            std::swap(a[k - 1], a[(seed >> 16) % k]);
        }
    };
    shuffle(order);
    for (int k = 0; k < m.nb; ++k)
        place[1 + k] = 1 + order[k];
    json_array_foreach(json_object_get(system, "bodies"), i, x)
    {
        m.mass[order[i]][0] = number(x, "mass");
        m.mass[order[i]][1] = number(x, "inertia");
    }
    list(system, "gravity", m.gravity);
    json_array_foreach(json_object_get(system, "constraints"), i, x)
    {
        joint j{};
        j.slides = strcmp(text(x, "type"), "translational") == 0;
        j.body1 = place[(int)number(x, "body1")];
        j.body2 = place[(int)number(x, "body2")];
        list(x, "point1", j.point1);
        list(x, "point2", j.point2);
        list(x, "normal1", j.normal1);
        j.offset = number(x, "offset");
        m.joints.push_back(j);
    }
    m.nrow = 2 * (int)m.joints.size();
    turn.resize(m.joints.size());
    std::iota(turn.begin(), turn.end(), 0);
    shuffle(turn);
    std::vector<joint> joints(m.joints);
    for (size_t k = 0; k < turn.size(); ++k)
        m.joints[turn[k]] = joints[k];
    json_array_foreach(json_object_get(system, "forces"), i, x)
        m.torque[place[(int)number(x, "body")] - 1] += number(x, "value");
    double a[3][3 * MOST];
    const json_t *samples = json_object_get(file, "samples");
    list(json_array_get(samples, 0), "q", a[0]);
    list(json_array_get(samples, 0), "v", a[1]);
    list(json_array_get(samples, 50), "q", a[2]);
    for (int k = 0; k < 3 * m.nb; ++k) {
        const int to = 3 * order[k / 3] + k % 3;
        m.q[to] = a[0][k];
        m.v[to] = a[1][k];
        m.end[to] = a[2][k];
    }
    return m;
}

template <class R> struct run {
    const mechanism &m;
    int n, r;
    R M[3 * MOST], f[3 * MOST], J[ROWS][3 * MOST], P[ROWS], gamma[ROWS], dot[ROWS];
    run(const mechanism &given) : m(given), n(3 * given.nb), r(given.nrow)
    {
        for (int b = 0; b < m.nb; ++b)
            for (int k = 0; k < 3; ++k) {
                M[3 * b + k] = m.mass[b][k == 2];
                f[3 * b + k] = k < 2 ? M[3 * b] * R(m.gravity[k]) : R(m.torque[b]);
            }
    }
    void rows(const R *q, const R *v)
    {
        memset(J, 0, sizeof J);
        for (size_t c = 0; c < m.joints.size(); ++c) {
            const joint &j = m.joints[c];
            R place[2][2], arm[2][2] = {{0, 0}, {0, 0}}, rate[2][2], turn[2] = {0, 0},
                           angle[2] = {0, 0};
            R N[2] = {j.normal1[0], j.normal1[1]};
            for (int s = 0; s < 2; ++s) {
                const int b = s ? j.body2 : j.body1;
                const double *p = s ? j.point2 : j.point1;
                rate[s][0] = rate[s][1] = 0;
                place[s][0] = p[0];
                place[s][1] = p[1];
                if (!b)
                    continue;
                const R *x = q + 3 * (b - 1), *w = v + 3 * (b - 1);
                const R co = cosine(x[2]), si = sine(x[2]);
                arm[s][0] = co * p[0] - si * p[1];
                arm[s][1] = si * p[0] + co * p[1];
                turn[s] = w[2];
                angle[s] = x[2];
                for (int k = 0; k < 2; ++k)
                    place[s][k] = x[k] + arm[s][k];
                rate[s][0] = w[0] - w[2] * arm[s][1];
                rate[s][1] = w[1] + w[2] * arm[s][0];
                if (!s && j.slides) {
                    N[0] = co * j.normal1[0] - si * j.normal1[1];
                    N[1] = si * j.normal1[0] + co * j.normal1[1];
                }
            }
            const int at = 2 * (int)c;
            if (!j.slides) {
                for (int k = 0; k < 2; ++k) {
                    P[at + k] = place[0][k] - place[1][k];
                    gamma[at + k] = arm[0][k] * turn[0] * turn[0] - arm[1][k] * turn[1] * turn[1];
                }
                for (int s = 0; s < 2; ++s) {
                    const int b = s ? j.body2 : j.body1, i = 3 * (b - 1);
                    const R sign = s ? -1 : 1;
                    if (!b)
                        continue;
                    J[at][i] = J[at + 1][i + 1] = sign;
                    J[at][i + 2] = -sign * arm[s][1];
                    J[at + 1][i + 2] = sign * arm[s][0];
                }
                continue;
            }
            R d[2], dd[2], ddd[2];
            for (int k = 0; k < 2; ++k) {
                d[k] = place[1][k] - place[0][k];
                dd[k] = rate[1][k] - rate[0][k];
                ddd[k] = arm[0][k] * turn[0] * turn[0] - arm[1][k] * turn[1] * turn[1];
            }
            const R T[2] = {-N[1], N[0]}, w = turn[0];
            P[at] = N[0] * d[0] + N[1] * d[1];
            P[at + 1] = angle[0] - angle[1] - R(j.offset);
            gamma[at] = -(N[0] * ddd[0] + N[1] * ddd[1] + 2 * w * (T[0] * dd[0] + T[1] * dd[1]) -
                          w * w * P[at]);
            gamma[at + 1] = 0;
            for (int s = 0; s < 2; ++s) {
                const int b = s ? j.body2 : j.body1, i = 3 * (b - 1);
                const R sign = s ? 1 : -1;
                if (!b)
                    continue;
                J[at][i] = sign * N[0];
                J[at][i + 1] = sign * N[1];
                J[at][i + 2] = sign * (N[1] * arm[s][0] - N[0] * arm[s][1]) +
                               (s ? R(0) : T[0] * d[0] + T[1] * d[1]);
                J[at + 1][i + 2] = -sign;
            }
        }
        for (int i = 0; i < r; ++i) {
            dot[i] = 0;
            for (int k = 0; k < n; ++k)
                dot[i] += J[i][k] * v[k];
        }
    }
    // A x = b by elimination with row exchanges; both are destroyed
    static void solve(int size, R *A, int stride, R *x)
    {
        for (int c = 0; c < size; ++c) {
            int at = c;
            for (int i = c + 1; i < size; ++i)
                if (absolute(A[i * stride + c]) > absolute(A[at * stride + c]))
                    at = i;
            for (int k = 0; k < size && at != c; ++k)
                std::swap(A[c * stride + k], A[at * stride + k]);
            if (at != c)
                std::swap(x[c], x[at]);
            for (int i = c + 1; i < size; ++i) {
                const R z = A[i * stride + c] / A[c * stride + c];
                if (z == 0)
                    continue;
                for (int k = c; k < size; ++k)
                    A[i * stride + k] -= z * A[c * stride + k];
                x[i] -= z * x[c];
            }
        }
        for (int i = size - 1; i >= 0; --i) {
            for (int k = i + 1; k < size; ++k)
                x[i] -= A[i * stride + k] * x[k];
            x[i] /= A[i * stride + i];
        }
    }
    // x = A^+ x, singular values below 1e-10 of the largest left out, by Jacobi's turns
    static void pseudo(int size, R *A, int stride, R *x)
    {
        std::vector<R> V((size_t)size * size, R(0)), y((size_t)size, R(0));
        for (int i = 0; i < size; ++i)
            V[i * size + i] = 1;
        for (int sweep = 0; sweep < 60; ++sweep) {
            R off = 0, all = 0;
            for (int i = 0; i < size; ++i)
                for (int k = 0; k < size; ++k)
                    (i == k ? all : off) += A[i * stride + k] * A[i * stride + k];
            const R tiny = std::is_same<R, double>::value        ? R(1e-33)
                           : std::is_same<R, long double>::value ? R(1e-39)
                                                                 : R(1e-66);
            if (off <= tiny * all)
                break;
            for (int a = 0; a < size; ++a)
                for (int b = a + 1; b < size; ++b) {
                    const R z = A[a * stride + b];
                    if (z == 0)
                        continue;
                    const R t0 = (A[b * stride + b] - A[a * stride + a]) / (2 * z);
                    const R t = (t0 < 0 ? R(-1) : R(1)) / (absolute(t0) + root(t0 * t0 + 1));
                    const R c = 1 / root(t * t + 1), s = t * c;
                    for (int k = 0; k < size; ++k) {
                        const R u = A[k * stride + a], w = A[k * stride + b];
                        A[k * stride + a] = c * u - s * w;
                        A[k * stride + b] = s * u + c * w;
                    }
                    for (int k = 0; k < size; ++k) {
                        const R u = A[a * stride + k], w = A[b * stride + k];
                        A[a * stride + k] = c * u - s * w;
                        A[b * stride + k] = s * u + c * w;
                    }
                    for (int k = 0; k < size; ++k) {
                        const R u = V[k * size + a], w = V[k * size + b];
                        V[k * size + a] = c * u - s * w;
                        V[k * size + b] = s * u + c * w;
                    }
                }
        }
        R largest = 0;
        for (int i = 0; i < size; ++i)
            largest = std::max(largest, absolute(A[i * stride + i]));
        for (int e = 0; e < size; ++e) {
            const R value = A[e * stride + e];
            if (absolute(value) <= R(1e-10) * largest)
                continue;
            R along = 0;
            for (int k = 0; k < size; ++k)
                along += V[k * size + e] * x[k];
            for (int k = 0; k < size; ++k)
                y[k] += V[k * size + e] * (along / value);
        }
        for (int k = 0; k < size; ++k)
            x[k] = y[k];
    }
    void accelerate(const json_t *row, const R *q, const R *v, R *a)
    {
        enum { S = 3 * MOST };
        static R A[S * S];
        R x[S], target[ROWS];
        rows(q, v);
        const bool baumgarte = strcmp(text(row, "method"), "baumgarte") == 0;
        const R first = baumgarte ? 2 * R(number(row, "alpha"))
                                  : 2 * R(number(row, "Omega")) * R(number(row, "mu"));
        const R zeroth = baumgarte ? R(number(row, "beta")) * R(number(row, "beta"))
                                   : R(number(row, "Omega")) * R(number(row, "Omega"));
        for (int i = 0; i < r; ++i)
            target[i] = gamma[i] - first * dot[i] - zeroth * P[i];
        if (baumgarte) {
            for (int i = 0; i < r; ++i) {
                x[i] = -target[i];
                for (int k = 0; k < n; ++k)
                    x[i] += J[i][k] * (f[k] / M[k]);
                for (int l = 0; l < r; ++l) {
                    A[i * S + l] = 0;
                    for (int k = 0; k < n; ++k)
                        A[i * S + l] += J[i][k] / M[k] * J[l][k];
                }
            }
            if (m.pinv)
                pseudo(r, A, S, x);
            else
                solve(r, A, S, x);
            for (int k = 0; k < n; ++k) {
                R sum = f[k];
                for (int i = 0; i < r; ++i)
                    sum -= J[i][k] * x[i];
                a[k] = sum / M[k];
            }
            return;
        }
        const R p = number(row, "penalty");
        for (int k = 0; k < n; ++k)
            a[k] = f[k] / M[k];
        for (int again = 0; again < (int)number(row, "solves"); ++again) {
            for (int i = 0; i < n; ++i) {
                R sum = 0;
                for (int k = 0; k < r; ++k)
                    sum += J[k][i] * target[k];
                x[i] = M[i] * a[i] + p * sum;
                for (int l = 0; l < n; ++l) {
                    R product = 0;
                    for (int k = 0; k < r; ++k)
                        product += J[k][i] * J[k][l];
                    A[i * S + l] = (i == l ? M[i] : R(0)) + p * product;
                }
            }
            solve(n, A, S, x);
            for (int k = 0; k < n; ++k)
                a[k] = x[k];
        }
    }
    R energy(const R *q, const R *v)
    {
        R e = 0;
        for (int k = 0; k < n; ++k)
            e += M[k] * v[k] * v[k] / 2 - f[k] * q[k];
        return e;
    }
    void figures(const json_t *row, double out[7])
    {
        enum { S = 3 * MOST };
        R q[S], v[S], kq[4][S], kv[4][S], y[S], w[S], most[7] = {0, 0, 0, 0, 0, 0, 0};
        const R h = number(row, "h");
        const long steps = lround(5 / number(row, "h"));
        for (int k = 0; k < n; ++k) {
            q[k] = m.q[k];
            v[k] = m.v[k];
        }
        const R start = energy(q, v);
        for (long step = 0; step < steps; ++step) {
            for (int s = 0; s < 4; ++s) {
                const R reach = s == 0 ? R(0) : s == 3 ? h : h / 2;
                for (int k = 0; k < n; ++k) {
                    y[k] = q[k] + (s ? reach * kq[s - 1][k] : R(0));
                    w[k] = v[k] + (s ? reach * kv[s - 1][k] : R(0));
                    kq[s][k] = w[k];
                }
                accelerate(row, y, w, kv[s]);
            }
            for (int k = 0; k < n; ++k) {
                q[k] += h / 6 * (kq[0][k] + 2 * kq[1][k] + 2 * kq[2][k] + kq[3][k]);
                v[k] += h / 6 * (kv[0][k] + 2 * kv[1][k] + 2 * kv[2][k] + kv[3][k]);
            }
            rows(q, v);
            R a = 0, b = 0;
            for (int i = 0; i < r; ++i) {
                a += P[i] * P[i];
                b += dot[i] * dot[i];
            }
            most[1] = root(a);
            most[3] = root(b);
            most[5] = energy(q, v) - start;
            most[0] = std::max(most[0], most[1]);
            most[2] = std::max(most[2], most[3]);
            most[4] = std::max(most[4], absolute(most[5]));
        }
        for (int k = 0; k < n; ++k)
            most[6] = std::max(most[6], absolute(q[k] - R(m.end[k])));
        for (int k = 0; k < 7; ++k)
            out[k] = (double)most[k];
    }
};

static bool is_wanted(const json_t *row)
{
    const bool direct = strcmp(text(row, "method"), "baumgarte") == 0 && number(row, "alpha") == 0;
    return strcmp(text(row, "integrator"), "rk4") == 0 && (number(row, "penalty") > 0 || direct) &&
           json_is_true(json_object_get(row, "finished"));
}

static void print(const char *key, const double *x, const char *format)
{
    printf("\"%s\":[", key);
    for (int k = 0; k < 7; ++k) {
        printf(k ? "," : "");
        printf(format, x[k]);
    }
    printf("]");
}

// Roots of mean squares of what the orders differ by from the exact figures, and how far extended precision (64 bits) is off.
static void print_row(const json_t *files, const char *name, size_t i, const json_t *row, bool pinv)
{
    double exact[7], extended[7], scatter[7] = {0}, off[7];
    mechanism m = read(files, name, 0);
    const bool turns = pinv && strcmp(text(row, "method"), "baumgarte") == 0;
    const int orders = turns ? 8 : 24;
    m.pinv = pinv;
    run<long double>(m).figures(row, extended);
    if (turns) // Jacobi's turns are slow in software
        memcpy(exact, extended, sizeof exact);
    else
        run<__float128>(m).figures(row, exact);
    for (int s = 0; s < orders; ++s) {
        double plain[7];
        mechanism other = read(files, name, (unsigned)s * 7919u);
        other.pinv = pinv;
        run<double>(other).figures(row, plain);
        for (int k = 0; k < 7; ++k)
            scatter[k] += (plain[k] - exact[k]) * (plain[k] - exact[k]) / orders;
    }
    for (int k = 0; k < 7; ++k) {
        scatter[k] = std::sqrt(scatter[k]);
        off[k] = std::fabs(extended[k] - exact[k]);
    }
    printf("{\"row\":%zu,", i);
    print("exact", exact, "%.17g");
    printf(",");
    print("scatter", scatter, "%.2e");
    printf(",");
    print("extended_off", off, "%.2e");
    printf("}");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"slider_crank", "four_bar", "double_pendulum",
                                        "parallel_cranks_redundant"};
    json_error_t error;
    const json_t *files = argc == 2 ? json_load_file(argv[1], 0, &error) : NULL;
    if (!files)
        return 1;
    for (int k = 0; k < 4; ++k) {
        const json_t *sheet =
            json_object_get(files, (std::string(names[k]) + "_stabilisation").c_str());
        const bool pinv = json_is_true(json_object_get(sheet, "pinv_multipliers"));
        bool first = true;
        size_t i;
        json_t *row;
        printf("%s\"%s\":[", k ? "],\n" : "{", names[k]);
        json_array_foreach(json_object_get(sheet, "rows"), i, row)
        {
            if (!is_wanted(row))
                continue;
            printf(first ? "\n" : ",\n");
            first = false;
            print_row(files, names[k], i, row, pinv);
        }
    }
    printf("]}\n");
}
