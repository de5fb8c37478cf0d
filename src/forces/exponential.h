/* The exponential of a vector of doubles, of any width that the compiler knows. */
#ifndef CARDO_FORCES_EXPONENTIAL_H
#define CARDO_FORCES_EXPONENTIAL_H

/* Sets result to exp(-x) for x >= 0, to a few units in the last place; about 1e-304 beyond the range. vector: of doubles; mask: of as many
 * whole numbers of 64 bits. A power of two by adding to the exponent, the rest by Taylor's series. The arithmetic is the scalar one's, number by
 * number. */
#define CARDO_EXP_MINUS(vector, mask, x, result)                                                   \
    do {                                                                                           \
        static const double c_[] = {1.0,                                                           \
                                    0.69314718055994531,                                           \
                                    0.24022650695910071,                                           \
                                    0.055504108664821580,                                          \
                                    0.0096181291076284772,                                         \
                                    0.0013333558146428443,                                         \
                                    0.00015403530393381610,                                        \
                                    1.5252733804059840e-05,                                        \
                                    1.3215486790144310e-06,                                        \
                                    1.0178086009239700e-07,                                        \
                                    7.0549116208011233e-09,                                        \
                                    4.4455382718708110e-10,                                        \
                                    2.5678435993488205e-11,                                        \
                                    1.3691488853904130e-12};                                       \
        const double shift_ =                                                                      \
            6755399441055744.0; /* 1.5 2^52: adding it rounds to whole numbers */                  \
        vector x_ = (x);                                                                           \
        mask in_ = x_ < 700.0;                                                                     \
        x_ = (vector)(((mask)x_ & in_) | ((mask)(x_ * 0.0 + 700.0) & ~in_));                       \
        vector s_ = x_ * -1.4426950408889634 + shift_, n_ = s_ - shift_;                           \
        /* log2(e) in two pieces */                                                                \
        vector f_ = x_ * -1.4426950408889634 - n_ + x_ * -2.0355273740931033e-17;                  \
        vector p_ = c_[13] * f_ + c_[12];                                                          \
        for (int k_ = 11; k_ >= 0; --k_)                                                           \
            p_ = p_ * f_ + c_[k_];                                                                 \
        (result) = (vector)((mask)p_ + ((mask)s_ << 52));                                          \
    } while (0)

#endif
