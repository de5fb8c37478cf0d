#include "dynamics/integrators/sundials.h"

#include "base/memory.h"

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

struct cardo_ode_solver {
    cardo_ode_method method;
    cardo_ode ode;
    SUNContext context;
    void *cvode, *arkode; /* one of the two */
    N_Vector y;           /* where a step leaves its end                      */
    N_Vector view;        /* without memory of its own: looks at the caller's */
    double *start;        /* where the step under way began (n)               */
    SUNMatrix jacobian;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
    cardo_error cause; /* of the last failure of rate() */
    char words[512];   /* the library's last complaint  */
};

/* ------------ what the library calls ------------ */

static bool is_fatal(cardo_status status)
{
    return status != CARDO_OK && status != CARDO_RECOVERABLE && status != CARDO_ERROR_NUMERICAL;
}

static int note(cardo_ode_solver *self, cardo_status status)
{
    if (status == CARDO_OK)
        return 0;
    self->cause.code = status;
    return is_fatal(status) ? -1 : 1;
}

static int call_rate(double time, N_Vector y, N_Vector rate, void *user)
{
    cardo_ode_solver *self = user;
    /* CVODE's fixed-point iteration tries again even after what it is told not to survive. */
    if (is_fatal(self->cause.code))
        return -1;
    cardo_status status = self->ode.rate(self->ode.user, time, N_VGetArrayPointer(y),
                                         N_VGetArrayPointer(rate), &self->cause);
    return note(self, status);
}

static int call_weigh(N_Vector y, N_Vector weights, void *user)
{
    cardo_ode_solver *self = user;
    self->ode.weigh(self->ode.user, N_VGetArrayPointer(y), N_VGetArrayPointer(weights));
    return 0;
}

/* CVODE wants the way to the manifold, not the point on it. */
static int call_project(double time, N_Vector y, N_Vector correction, double tolerance,
                        N_Vector error, void *user)
{
    (void)tolerance;
    cardo_ode_solver *self = user;
    double *to = N_VGetArrayPointer(correction);
    const double *from = N_VGetArrayPointer(y);
    memcpy(to, from, (size_t)self->ode.n * sizeof *to);
    cardo_status status = self->ode.project(self->ode.user, time, to,
                                            error ? N_VGetArrayPointer(error) : NULL, &self->cause);
    for (int k = 0; k < self->ode.n; ++k)
        to[k] -= from[k];
    return note(self, status);
}

static int call_postprocess(double time, N_Vector y, void *user)
{
    cardo_ode_solver *self = user;
    return note(self,
                self->ode.project(self->ode.user, time, N_VGetArrayPointer(y), NULL, &self->cause));
}

static void note_words(int code, const char *module, const char *function, char *words, void *user)
{
    (void)code;
    cardo_ode_solver *self = user;
    snprintf(self->words, sizeof self->words, "%s %s: %s", module, function, words);
}

/* ------------ making ------------ */

static cardo_status no_memory(cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "SUNDIALS has no memory for an integration");
}

/* Merson 1957: five stages; the error estimate is (2 k1 - 9 k3 + 8 k4 - k5) h/30. */
static cardo_status set_merson(cardo_ode_solver *self, cardo_error *error)
{
    double c[5] = {0, 1.0 / 3, 1.0 / 3, 1.0 / 2, 1};
    double A[25] = {0, 0,       0,       0, 0,        1.0 / 3, 0,       0, 0,
                    0, 1.0 / 6, 1.0 / 6, 0, 0,        0,       1.0 / 8, 0, 3.0 / 8,
                    0, 0,       1.0 / 2, 0, -3.0 / 2, 2,       0};
    double b[5] = {1.0 / 6, 0, 0, 2.0 / 3, 1.0 / 6};
    double d[5] = {1.0 / 10, 0, 3.0 / 10, 2.0 / 5, 1.0 / 5};
    ARKodeButcherTable table = ARKodeButcherTable_Create(5, 4, 3, c, A, b, d);
    if (!table)
        return no_memory(error);
    int flag = ERKStepSetTable(self->arkode, table);
    ARKodeButcherTable_Free(table);
    return flag == ARK_SUCCESS ? CARDO_OK : no_memory(error);
}

static cardo_status open_arkode(cardo_ode_solver *self, cardo_error *error)
{
    self->arkode = ERKStepCreate(call_rate, 0.0, self->y, self->context);
    if (!self->arkode || ERKStepSetUserData(self->arkode, self) ||
        ERKStepSetErrHandlerFn(self->arkode, note_words, self) ||
        ERKStepWFtolerances(self->arkode, call_weigh) ||
        (self->ode.project && ERKStepSetPostprocessStepFn(self->arkode, call_postprocess)))
        return no_memory(error);
    return set_merson(self, error);
}

static bool set_newton(cardo_ode_solver *self)
{
    self->jacobian = SUNDenseMatrix(self->ode.n, self->ode.n, self->context);
    self->linear = self->jacobian ? SUNLinSol_Dense(self->y, self->jacobian, self->context) : NULL;
    return self->linear && !CVodeSetLinearSolver(self->cvode, self->linear, self->jacobian);
}

static bool set_fixed_point(cardo_ode_solver *self)
{
    self->nonlinear = SUNNonlinSol_FixedPoint(self->y, 0, self->context);
    return self->nonlinear && !CVodeSetNonlinearSolver(self->cvode, self->nonlinear);
}

static cardo_status open_cvode(cardo_ode_solver *self, cardo_error *error)
{
    bool bdf = self->method == CARDO_ODE_BDF;
    self->cvode = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, self->context);
    if (!self->cvode || CVodeSetErrHandlerFn(self->cvode, note_words, self) ||
        CVodeInit(self->cvode, call_rate, 0.0, self->y) || CVodeSetUserData(self->cvode, self) ||
        CVodeWFtolerances(self->cvode, call_weigh) ||
        !(bdf ? set_newton(self) : set_fixed_point(self)) ||
        (bdf && self->ode.project && CVodeSetProjFn(self->cvode, call_project)))
        return no_memory(error);
    return CARDO_OK;
}

cardo_status cardo_ode_solver_create(cardo_ode_method method, const cardo_ode *ode,
                                     cardo_ode_solver **out, cardo_error *error)
{
    cardo_status status;
    cardo_ode_solver *self = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->method = method;
    self->ode = *ode;
    if (SUNContext_Create(NULL, &self->context) == 0) {
        self->y = N_VNew_Serial(ode->n, self->context);
        self->view = N_VNewEmpty_Serial(ode->n, self->context);
    }
    if (!self->y || !self->view) {
        status = no_memory(error);
        goto done;
    }
    N_VConst(0.0, self->y);
    CARDO_TRY(CARDO_ALLOCATE(&self->start, ode->n, error));
    CARDO_TRY(method == CARDO_ODE_MERSON ? open_arkode(self, error) : open_cvode(self, error));
    *out = self;
    self = NULL;
done:
    cardo_ode_solver_destroy(self);
    return status;
}

void cardo_ode_solver_destroy(cardo_ode_solver *self)
{
    if (!self)
        return;
    if (self->cvode)
        CVodeFree(&self->cvode);
    if (self->arkode)
        ERKStepFree(&self->arkode);
    if (self->nonlinear)
        SUNNonlinSolFree(self->nonlinear);
    if (self->linear)
        SUNLinSolFree(self->linear);
    if (self->jacobian)
        SUNMatDestroy(self->jacobian);
    if (self->y)
        N_VDestroy(self->y);
    if (self->view)
        N_VDestroy(self->view);
    if (self->context)
        SUNContext_Free(&self->context);
    cardo_free(self->start);
    cardo_free(self);
}

/* ------------ running ------------ */

/* A failure of ours, where there was one, else what the library says. */
static cardo_status complain(cardo_ode_solver *self, cardo_error *error)
{
    if (self->cause.code != CARDO_OK) {
        if (error)
            *error = self->cause;
        return self->cause.code;
    }
    return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                      "no step is short enough for the accuracy: the forces jump, or the accuracy "
                      "is beyond rounding (%s)",
                      self->words);
}

cardo_status cardo_ode_solver_begin(cardo_ode_solver *self, double time, const double *y,
                                    cardo_error *error)
{
    memcpy(N_VGetArrayPointer(self->y), y, (size_t)self->ode.n * sizeof *y);
    self->cause.code = CARDO_OK;
    int flag = self->cvode ? CVodeReInit(self->cvode, time, self->y)
                           : ERKStepReInit(self->arkode, call_rate, time, self->y);
    return flag == 0 ? CARDO_OK : complain(self, error);
}

/* Where to go is looked at in a first step alone, for its direction and greatest length. */
static double ahead(double time)
{
    return time + 1.0;
}

enum { MOST_SHORTENINGS = 25 };

/* ps: where even the search for a first step met what cannot be evaluated. */
static const double short_step = 1e-3;

/* ARKODE's explicit methods give up where a stage cannot be evaluated; CVODE tries a quarter of the
 * step, and so does this, beginning anew at the step's start. */
static int evolve(cardo_ode_solver *self, double *time)
{
    const size_t bytes = (size_t)self->ode.n * sizeof(double);
    const double start = *time;
    double h = 0;
    memcpy(self->start, N_VGetArrayPointer(self->y), bytes);
    int flag = ERKStepEvolve(self->arkode, ahead(start), self->y, time, ARK_ONE_STEP);
    if (flag < 0)
        ERKStepGetCurrentStep(self->arkode, &h);
    h = h > 0 ? h : short_step;
    for (int k = 0; k < MOST_SHORTENINGS && flag < 0; ++k) {
        if (self->cause.code == CARDO_OK || is_fatal(self->cause.code))
            break;
        h *= 0.25;
        memcpy(N_VGetArrayPointer(self->y), self->start, bytes);
        if (ERKStepReInit(self->arkode, call_rate, start, self->y) ||
            ERKStepSetInitStep(self->arkode, h))
            break;
        flag = ERKStepEvolve(self->arkode, ahead(start), self->y, time, ARK_ONE_STEP);
    }
    ERKStepSetInitStep(self->arkode, 0.0);
    return flag;
}

cardo_status cardo_ode_solver_step(cardo_ode_solver *self, double *time, cardo_error *error)
{
    const double start = *time;
    self->cause.code = CARDO_OK;
    int flag = self->cvode ? CVode(self->cvode, ahead(start), self->y, time, CV_ONE_STEP)
                           : evolve(self, time);
    /* Both libraries only warn of a step that time is too coarse for. */
    bool done = flag >= 0 && *time > start && !is_fatal(self->cause.code);
    return done ? CARDO_OK : complain(self, error);
}

cardo_status cardo_ode_solver_interpolate(const cardo_ode_solver *self, double time, double *y,
                                          cardo_error *error)
{
    N_VSetArrayPointer(y, self->view);
    int flag = self->cvode ? CVodeGetDky(self->cvode, time, 0, self->view)
                           : ERKStepGetDky(self->arkode, time, 0, self->view);
    N_VSetArrayPointer(NULL, self->view);
    return flag == 0 ? CARDO_OK
                     : CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                                  "there is no value at t = %g: it lies outside the last step (%s)",
                                  time, self->words);
}
