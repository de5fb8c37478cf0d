/* By how much strain goes to one end of a motion.
 *
 * A geometry of domains that suits both ends by halves may strain them unequally in the trial that follows. To first order, weighing one end
 * more lowers its strain by as much as it raises the other's, and what lies between goes with q. */
#ifndef CARDO_STUDY_DOMAINS_BALANCE_H
#define CARDO_STUDY_DOMAINS_BALANCE_H

/* The slope for which value - slope * q has the least difference between its largest and its least, of n > 1 points whose q (n) rises; value (n). */
double cardo_balance_slope(int n, const double *q, const double *value);

#endif
