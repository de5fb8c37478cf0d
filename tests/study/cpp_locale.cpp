#include "study/cpp_locale.h"

#include <locale>

void take_cpp_locale(const char *name)
{
    std::locale::global(std::locale(name));
}

void take_cpp_locale_but_numbers(const char *name)
{
    std::locale::global(
        std::locale(std::locale(name), std::locale::classic(), std::locale::numeric));
}
