/* The page of runs: cardo/report.h. */
#ifndef CARDO_IO_PAGE_PAGE_H
#define CARDO_IO_PAGE_PAGE_H

#include "cardo/report.h"

#endif
