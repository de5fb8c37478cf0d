/* What a host in C++ may do to all of its process. */
#ifndef CARDO_TESTS_STUDY_CPP_LOCALE_H
#define CARDO_TESTS_STUDY_CPP_LOCALE_H

#ifdef __cplusplus
extern "C" {
#endif

/* std::locale::global(std::locale(name)), which is setlocale(LC_ALL, name) as well; and the same but for numbers. */
void take_cpp_locale(const char *name);
void take_cpp_locale_but_numbers(const char *name);

#ifdef __cplusplus
}
#endif

#endif
