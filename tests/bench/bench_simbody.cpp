// The same systems in Simbody, timed by the same clock: q touched, realized to accelerations,
// gravity.
#include "bench/bench_constraints.h"
#include "bench/bench_models.h"

#include <Simbody.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace SimTK;

namespace
{

double now()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Subject {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    Force::UniformGravity gravity{forces, matter, Vec3(0, -9.81, 0)};
    State state;
};

// The knee as OpenSim builds it: one coordinate for one rotation and two splines.
MobilizedBody add_knee(MobilizedBody &parent, const Transform &X_PF, const Body &body,
                       const Transform &X_BM)
{
    std::vector<const Function *> functions(6);
    std::vector<std::vector<int>> arguments(6);
    for (int f = 0; f < 6; ++f)
        functions[static_cast<size_t>(f)] = new Function::Constant(0, 0);
    delete functions[2];
    Vector line(2);
    line[0] = 1;
    line[1] = 0;
    functions[2] = new Function::Linear(line);
    arguments[2].push_back(0);
    const double *values[2] = {bench_knee_x, bench_knee_y};
    for (size_t i = 0; i < 2; ++i) {
        Vector x(BENCH_KNOTS), y(BENCH_KNOTS);
        for (int k = 0; k < BENCH_KNOTS; ++k) {
            x[k] = bench_knee_angle[k];
            y[k] = values[i][k];
        }
        delete functions[3 + i];
        functions[3 + i] =
            SplineFitter<Real>::fitForSmoothingParameter(3, x, y, 0).getSpline().clone();
        arguments[3 + i].push_back(0);
    }
    return MobilizedBody::FunctionBased(parent, X_PF, body, X_BM, 1, functions, arguments);
}

std::unique_ptr<Subject> build(const bench_model &model)
{
    auto s = std::make_unique<Subject>();
    std::vector<MobilizedBody> bodies;
    bodies.push_back(s->matter.Ground());
    for (int k = 1; k <= model.n; ++k) {
        bench_body b;
        bench_body_properties(k, &b);
        const double *I = b.inertia;
        const Body::Rigid body(MassProperties(b.mass, Vec3(b.com[0], b.com[1], b.com[2]),
                                              Inertia(I[0], I[1], I[2], I[3], I[4], I[5])));
        Mat33 R;
        for (int i = 0; i < 9; ++i)
            R(i / 3, i % 3) = b.R_PF[i];
        const Transform X_PF(Rotation(R), Vec3(b.p_PF[0], b.p_PF[1], b.p_PF[2]));
        const Transform X_BM(Vec3(b.p_BM[0], b.p_BM[1], b.p_BM[2]));
        MobilizedBody &parent = bodies[static_cast<size_t>(model.tree ? k / 2 : k - 1)];
        switch (model.joint) {
        case BENCH_PIN:
            bodies.push_back(MobilizedBody::Pin(parent, X_PF, body, X_BM));
            break;
        case BENCH_BALL:
            bodies.push_back(MobilizedBody::Ball(parent, X_PF, body, X_BM));
            break;
        case BENCH_FREE:
            bodies.push_back(MobilizedBody::Free(parent, X_PF, body, X_BM));
            break;
        case BENCH_ELLIPSOID:
            bodies.push_back(MobilizedBody::Ellipsoid(parent, X_PF, body, X_BM,
                                                      Vec3(b.radii[0], b.radii[1], b.radii[2])));
            break;
        case BENCH_KNEE:
            bodies.push_back(add_knee(parent, X_PF, body, X_BM));
            break;
        }
    }
    s->state = s->system.realizeTopology();
    s->system.realizeModel(s->state);
    for (int i = 0; i < s->state.getNQ(); ++i)
        s->state.updQ()[i] += 0.4 * std::sin(1.3 * i + 0.5);
    for (int i = 0; i < s->state.getNU(); ++i)
        s->state.updU()[i] = 0.5 * std::cos(0.7 * i);
    return s;
}

double time_batch(Subject &s, int calls)
{
    const double start = now();
    const int last = s.state.getNQ() - 1;
    for (int i = 0; i < calls; ++i) {
        s.state.updQ()[last] += i % 2 ? 1e-9 : -1e-9;
        s.system.realize(s.state, Stage::Acceleration);
    }
    return (now() - start) / calls;
}

} // namespace

extern "C" double bench_simbody_forward(const bench_model *model, double seconds)
{
    if (seconds <= 0)
        return 1;
    const int batches = 9;
    const auto s = build(*model);
    const double once = std::min(time_batch(*s, 1), time_batch(*s, 3));
    const int calls = std::max(1, static_cast<int>(seconds / batches / once));
    std::vector<double> batch;
    for (int b = 0; b < batches; ++b)
        batch.push_back(time_batch(*s, calls));
    std::sort(batch.begin(), batch.end());
    return 1e9 * batch[batches / 2] / model->n;
}

// The chains of bench_constraints: constraints are measured where the timed state begins.
extern "C" double bench_simbody_closure(bench_closure closure, int n, double seconds)
{
    const bench_model model = {"pin_chain", BENCH_PIN, 0, n};
    const auto open = build(model);
    open->system.realize(open->state, Stage::Position);
    const auto s = build(model);
    const auto body = [&](int k) -> const MobilizedBody & {
        return open->matter.getMobilizedBody(MobilizedBodyIndex(k));
    };
    const auto point = [](int end) {
        const cardo_vec3 p = bench_rod_point(end);
        return Vec3(p.x, p.y, p.z);
    };
    if (closure == BENCH_END_WELD)
        Constraint::Weld(s->matter.Ground(), body(n).getBodyTransform(open->state),
                         s->matter.updMobilizedBody(MobilizedBodyIndex(n)), Transform());
    for (int k = 0; closure == BENCH_RODS && k + 3 <= n; k += 3) {
        const Vec3 p1 = body(k).findStationLocationInGround(open->state, point(0));
        const Vec3 p2 = body(k + 3).findStationLocationInGround(open->state, point(1));
        Constraint::Rod(s->matter.updMobilizedBody(MobilizedBodyIndex(k)), point(0),
                        s->matter.updMobilizedBody(MobilizedBodyIndex(k + 3)), point(1),
                        (p2 - p1).norm());
    }
    s->state = s->system.realizeTopology();
    s->system.realizeModel(s->state);
    s->state.updQ() = open->state.getQ();
    s->state.updU() = open->state.getU();
    const int batches = 9;
    const double once = std::min(time_batch(*s, 1), time_batch(*s, 3));
    const int calls = std::max(1, static_cast<int>(seconds / batches / once));
    std::vector<double> batch;
    for (int b = 0; b < batches; ++b)
        batch.push_back(time_batch(*s, calls));
    std::sort(batch.begin(), batch.end());
    return batch[batches / 2];
}
