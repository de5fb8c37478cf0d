/* Spheres that fall into a box, as both engines build them. */
#ifndef CARDO_BENCH_CONTACT_H
#define CARDO_BENCH_CONTACT_H

#ifdef __cplusplus
extern "C" {
#endif

/* n balls of one size in a box without a lid, its floor at z = 0 and its walls at x, y = +-half; gravity along -z. SI units. */
typedef struct bench_balls {
    int n;
    double radius, mass, half, gravity;
    double stiffness, dissipation, friction, transition;
} bench_balls;

typedef struct bench_simbody_balls bench_simbody_balls;

/* NULL when built without Simbody. q: seven a ball, quaternion first; u: six. */
bench_simbody_balls *bench_simbody_balls_open(const bench_balls *balls);
void bench_simbody_balls_close(bench_simbody_balls *self);
/* Seconds of processor time a call, q and u set, to accelerations; *udot gets the last ball's last. */
double bench_simbody_balls_realize(bench_simbody_balls *self, const double *q, const double *u,
                                   int calls, double *udot);
/* Seconds of processor time for moving on by `time` in fixed steps of Runge, Kutta and Merson's method. */
double bench_simbody_balls_run(bench_simbody_balls *self, const double *q, const double *u,
                               double time, double step);

#ifdef __cplusplus
}
#endif

#endif
