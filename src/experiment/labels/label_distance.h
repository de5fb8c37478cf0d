/* Distances between two labels, as their clouds of places have them, and what experiments see of these. */
#ifndef CARDO_EXPERIMENT_LABELS_LABEL_DISTANCE_H
#define CARDO_EXPERIMENT_LABELS_LABEL_DISTANCE_H

#include <stddef.h>

/* Places of a label with weights. */
typedef struct cardo_label_places {
    int n;
    const double *position; /* nm (n x 3) */
    const double *weight;   /* (n)        */
} cardo_label_places;

/* Averages over all pairs of places; R0 is Foerster's radius with an orientation factor of 2/3. Names after Kalinin et al. 2012. */
typedef struct cardo_label_distance {
    double
        between_means; /* R_mp: distance of the mean places, nm                                   */
    double mean;       /* <R_DA>, nm                                                              */
    double spread;     /* its standard deviation, nm                                              */
    double efficiency; /* <E>: labels stand still while a donor is excited, turn freely (static)  */
    double
        efficiency_fast; /* E of the mean rate: places are averaged while it is (dynamic)           */
    double apparent; /* <R_DA>_E = R0 (1/<E> - 1)^(1/6), nm                                     */
} cardo_label_distance;

/* histogram (nbin), of width bin nm from 0, gets shares that add up to 1 but for what lies beyond; NULL: none. R0 0: E is 0. Both have places. */
void cardo_label_distance_find(const cardo_label_places *one, const cardo_label_places *other,
                               double R0, double bin, int nbin, double *histogram,
                               cardo_label_distance *out);

/* The distance at which a transfer has this efficiency: R0 (1/E - 1)^(1/6); 0 and HUGE_VAL at the ends. */
double cardo_transfer_distance(double efficiency, double R0);

#endif
