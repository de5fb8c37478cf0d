// Balls in a box in Simbody, timed by the same clock.
#include "bench/bench_contact.h"

#include <Simbody.h>

#include <ctime>

using namespace SimTK;

struct bench_simbody_balls {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    ContactTrackerSubsystem tracker{system};
    CompliantContactSubsystem contact{system, tracker};
    State state;
};

namespace
{

double now()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void set(bench_simbody_balls *self, const double *q, const double *u)
{
    self->state.updTime() = 0;
    for (int i = 0; i < self->state.getNQ(); ++i)
        self->state.updQ()[i] = q[i];
    for (int i = 0; i < self->state.getNU(); ++i)
        self->state.updU()[i] = u[i];
}

} // namespace

extern "C" bench_simbody_balls *bench_simbody_balls_open(const bench_balls *balls)
{
    auto *self = new bench_simbody_balls;
    const ContactMaterial material(balls->stiffness, balls->dissipation, balls->friction,
                                   balls->friction, 0);
    const double h = balls->half, r = balls->radius;
    // a half space fills x > 0 of its frame
    const Rotation down(Pi / 2, YAxis);
    auto &ground = self->matter.updGround();
    const Transform walls[5] = {Transform(down, Vec3(0)), Transform(Rotation(), Vec3(h, 0, 0)),
                                Transform(Rotation(Pi, ZAxis), Vec3(-h, 0, 0)),
                                Transform(Rotation(Pi / 2, ZAxis), Vec3(0, h, 0)),
                                Transform(Rotation(-Pi / 2, ZAxis), Vec3(0, -h, 0))};
    for (const Transform &X : walls)
        ground.updBody().addContactSurface(X,
                                           ContactSurface(ContactGeometry::HalfSpace(), material));
    Body::Rigid body(MassProperties(balls->mass, Vec3(0), Inertia(0.4 * balls->mass * r * r)));
    body.addContactSurface(Transform(), ContactSurface(ContactGeometry::Sphere(r), material));
    for (int k = 0; k < balls->n; ++k)
        MobilizedBody::Free(ground, Transform(), body, Transform());
    Force::UniformGravity(self->forces, self->matter, Vec3(0, 0, -balls->gravity));
    self->contact.setTransitionVelocity(balls->transition);
    self->state = self->system.realizeTopology();
    self->system.realizeModel(self->state);
    return self;
}

extern "C" void bench_simbody_balls_close(bench_simbody_balls *self)
{
    delete self;
}

extern "C" double bench_simbody_balls_realize(bench_simbody_balls *self, const double *q,
                                              const double *u, int calls, double *udot)
{
    set(self, q, u);
    self->system.realize(self->state, Stage::Acceleration);
    const double start = now();
    for (int i = 0; i < calls; ++i) {
        self->state.updQ()[4] += i % 2 ? 1e-12 : -1e-12;
        self->state.updU()[0] += 0;
        self->system.realize(self->state, Stage::Acceleration);
    }
    const double taken = (now() - start) / calls;
    *udot = self->state.getUDot()[self->state.getNU() - 1];
    return taken;
}

extern "C" double bench_simbody_balls_run(bench_simbody_balls *self, const double *q,
                                          const double *u, double time, double step)
{
    set(self, q, u);
    RungeKuttaMersonIntegrator integrator(self->system);
    integrator.setFixedStepSize(step);
    TimeStepper stepper(self->system, integrator);
    stepper.initialize(self->state);
    const double start = now();
    stepper.stepTo(time);
    return now() - start;
}
