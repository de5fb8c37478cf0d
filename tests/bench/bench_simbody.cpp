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

namespace
{

// The chains of bench_constraints: constraints are measured where the timed state begins.
std::unique_ptr<Subject> build_closed(bench_closure closure, int n)
{
    const bench_model model = {"pin_chain", BENCH_PIN, 0, n};
    const auto open = build(model);
    open->system.realize(open->state, Stage::Position);
    auto s = build(model);
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
    return s;
}

// p - diag(radii) R z = 0
class OnEllipsoid : public Constraint::Custom::Implementation
{
  public:
    OnEllipsoid(SimbodyMatterSubsystem &matter, const MobilizedBody &body, const Vec3 &radii)
        : Implementation(matter, 3, 0, 0), radii(radii), own(addConstrainedBody(body))
    {
    }
    Implementation *clone() const override
    {
        return new OnEllipsoid(*this);
    }
    void calcPositionErrors(const State &, const Array_<Transform, ConstrainedBodyIndex> &X,
                            const Array_<Real, ConstrainedQIndex> &,
                            Array_<Real> &error) const override
    {
        const Vec3 z = getBodyRotation(X, own).z();
        put(getBodyOriginLocation(X, own) - radii.elementwiseMultiply(z), error);
    }
    void calcPositionDotErrors(const State &state,
                               const Array_<SpatialVec, ConstrainedBodyIndex> &V,
                               const Array_<Real, ConstrainedQIndex> &,
                               Array_<Real> &error) const override
    {
        const Vec3 z = getBodyRotationFromState(state, own).z();
        const SpatialVec &v = getBodyVelocity(V, own);
        put(v[1] - radii.elementwiseMultiply(v[0] % z), error);
    }
    void calcPositionDotDotErrors(const State &state,
                                  const Array_<SpatialVec, ConstrainedBodyIndex> &A,
                                  const Array_<Real, ConstrainedQIndex> &,
                                  Array_<Real> &error) const override
    {
        const Vec3 z = getBodyRotationFromState(state, own).z();
        const Vec3 w = getBodyAngularVelocityFromState(state, own);
        const SpatialVec &a = getBodyAcceleration(A, own);
        put(a[1] - radii.elementwiseMultiply(a[0] % z + w % (w % z)), error);
    }
    void addInPositionConstraintForces(const State &state, const Array_<Real> &multipliers,
                                       Array_<SpatialVec, ConstrainedBodyIndex> &forces,
                                       Array_<Real, ConstrainedQIndex> &) const override
    {
        const Vec3 z = getBodyRotationFromState(state, own).z();
        const Vec3 f(multipliers[0], multipliers[1], multipliers[2]);
        forces[own] += SpatialVec(-(z % radii.elementwiseMultiply(f)), f);
    }

  private:
    static void put(const Vec3 &from, Array_<Real> &to)
    {
        for (int i = 0; i < 3; ++i)
            to[i] = from[i];
    }
    Vec3 radii;
    ConstrainedBodyIndex own;
};

// f(angle) - x
class OffCurve : public Function
{
  public:
    explicit OffCurve(const Spline &curve) : curve(curve)
    {
    }
    Real calcValue(const Vector &x) const override
    {
        return curve.calcValue(x(0, 1)) - x[1];
    }
    Real calcDerivative(const Array_<int> &of, const Vector &x) const override
    {
        for (unsigned i = 0; i < of.size(); ++i)
            if (of[i] == 1)
                return of.size() == 1 ? -1 : 0;
        return curve.calcDerivative(of, x(0, 1));
    }
    int getArgumentSize() const override
    {
        return 2;
    }
    int getMaxDerivativeOrder() const override
    {
        return 2;
    }

  private:
    Spline curve;
};

Spline knee_spline(const double *values)
{
    Vector x(BENCH_KNOTS), y(BENCH_KNOTS);
    for (int k = 0; k < BENCH_KNOTS; ++k) {
        x[k] = bench_knee_angle[k];
        y[k] = values[k];
    }
    return SplineFitter<Real>::fitForSmoothingParameter(3, x, y, 0).getSpline();
}

Body::Rigid body_of(const bench_single &b)
{
    const double *I = b.inertia;
    return Body::Rigid(MassProperties(b.mass, Vec3(b.com[0], b.com[1], b.com[2]),
                                      Inertia(I[0], I[1], I[2], I[3], I[4], I[5])));
}

std::unique_ptr<Subject> build_single(bench_closure closure)
{
    const bool knee = closure == BENCH_PLANAR_BODY || closure == BENCH_TWO_COUPLERS;
    const bench_single &own = knee ? bench_knee : bench_ellipsoid;
    auto s = std::make_unique<Subject>();
    MobilizedBody body;
    if (knee)
        body = MobilizedBody::Planar(s->matter.Ground(), Transform(), body_of(own), Transform());
    else
        body = MobilizedBody::Free(s->matter.Ground(), Transform(), body_of(own), Transform());
    const Spline curves[2] = {knee_spline(bench_knee_x), knee_spline(bench_knee_y)};
    if (closure == BENCH_THREE_ROWS)
        Constraint::Custom(
            new OnEllipsoid(s->matter, body, Vec3(own.radii[0], own.radii[1], own.radii[2])));
    for (int k = 0; closure == BENCH_TWO_COUPLERS && k < 2; ++k) {
        Array_<MobilizedBodyIndex> bodies(2, body.getMobilizedBodyIndex());
        Array_<MobilizerQIndex> coordinates;
        coordinates.push_back(MobilizerQIndex(0));
        coordinates.push_back(MobilizerQIndex(1 + k));
        Constraint::CoordinateCoupler(s->matter, new OffCurve(curves[k]), bodies, coordinates);
    }
    s->state = s->system.realizeTopology();
    s->system.realizeModel(s->state);
    for (int i = 0; i < s->state.getNQ(); ++i)
        s->state.updQ()[i] = own.q[i];
    for (int i = 0; i < s->state.getNU(); ++i)
        s->state.updU()[i] = own.u[i];
    for (int k = 0; knee && k < 2; ++k) {
        const Vector angle(1, own.q[0]);
        s->state.updQ()[1 + k] = curves[k].calcValue(angle);
        s->state.updU()[1 + k] = own.u[0] * curves[k].calcDerivative(Array_<int>(1, 0), angle);
    }
    return s;
}

} // namespace

struct bench_simbody {
    std::unique_ptr<Subject> subject;
};

extern "C" bench_simbody *bench_simbody_open(bench_closure closure, int n)
{
    const bool chain = closure == BENCH_OPEN || closure == BENCH_END_WELD || closure == BENCH_RODS;
    return new bench_simbody{chain ? build_closed(closure, n) : build_single(closure)};
}

extern "C" void bench_simbody_close(bench_simbody *system)
{
    delete system;
}

extern "C" double bench_simbody_batch(bench_simbody *system, int calls)
{
    return time_batch(*system->subject, calls);
}
