/* What the library's shared object shows. Functions of the public headers are marked CARDO_API and bear the prefix cardo_;
 * all else is hidden. */
#ifndef CARDO_EXPORT_H
#define CARDO_EXPORT_H

#if defined(__GNUC__)
#define CARDO_API __attribute__((visibility("default")))
/* As printf: the format is argument number `format`, what it formats begins at number `first`. */
#define CARDO_LIKE_PRINTF(format_argument, first)                                                  \
    __attribute__((format(printf, format_argument, first)))
#else
#define CARDO_API
#define CARDO_LIKE_PRINTF(format_argument, first)
#endif

#endif
