/* The tables of a free-energy study, each a whole CSV file with units in its header.
 *
 * Free energies come in kT and go out in kJ/mol. The coordinate's column is "name (unit)". */
#ifndef CARDO_IO_TABLES_FREE_ENERGY_TABLES_H
#define CARDO_IO_TABLES_FREE_ENERGY_TABLES_H

#include "base/status.h"

typedef struct cardo_coordinate_label {
    const char *name;
    const char *unit; /* "" or NULL: none */
} cardo_coordinate_label;

/* F(xi) at n places. */
typedef struct cardo_profile_table {
    cardo_coordinate_label coordinate;
    double kT; /* kJ/mol                                                               */
    int n;
    const double *xi;        /*                                               (n)            */
    const double *F, *sigma; /* kT                                            (n)            */
    const double *bootstrap; /* standard errors by another way, kT, or NULL   (n)            */
    const double *effective; /* samples that each place is worth, or NULL     (n)            */
} cardo_profile_table;

/* xi, F above its lowest, sigma, the same two in kT, then, where they are there, the bootstrap's
 * sigma and the effective samples. Places without samples hold "nan". */
cardo_status cardo_profile_write(const char *path, const cardo_profile_table *profile,
                                 cardo_error *error);

/* Samples of each window in each of n bins: counts (nwindow x n). */
cardo_status cardo_histograms_write(const char *path, cardo_coordinate_label coordinate, int n,
                                    const double *xi, int nwindow, const double *counts,
                                    cardo_error *error);

/* A row and a column a window. */
cardo_status cardo_overlap_write(const char *path, int nwindow, const double *overlap,
                                 cardo_error *error);

/* Free energies of a basin against another from the first and the last p/npart of the run, kT
 * (npart). what: what it is of, for the header. */
cardo_status cardo_convergence_write(const char *path, const char *what, double kT, int npart,
                                     const double *forward, const double *forward_sigma,
                                     const double *backward, const double *backward_sigma,
                                     cardo_error *error);

/* What plot.gp draws; tables lie in the folder. */
typedef struct cardo_free_energy_pictures {
    const char *title;
    cardo_coordinate_label coordinate;
    double low, high; /* of the coordinate's axis; both 0: as far as the tables go              */
    int nprofile;
    const char *const *profile; /* names of profile tables: pmf.png/.svg       (nprofile)     */
    const char *const *label;   /* what each is                                (nprofile)     */
    int nwindow;                /* of the following two, 0: neither                           */
    const char *histograms;     /* a table, or NULL: windows.png/.svg                         */
    const char *overlap;        /* a table, or NULL: overlap.png/.svg                         */
    const char *convergence;    /* a table, or NULL: convergence.png/.svg                     */
} cardo_free_energy_pictures;

/* Writes FOLDER/plot.gp. */
cardo_status cardo_plot_write_free_energy(const char *folder,
                                          const cardo_free_energy_pictures *pictures,
                                          cardo_error *error);

#endif
