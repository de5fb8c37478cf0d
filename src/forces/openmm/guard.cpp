#include "forces/openmm/guard.h"

#include "base/number.h"

#include <OpenMM.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <locale>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <typeinfo>

/* OpenMM, and the compilers of its platforms, read and write numbers by the locale. */
struct plain_numbers {
    locale_t outer = cardo_numbers_begin();
    ~plain_numbers()
    {
        cardo_numbers_end(outer);
    }
};

/* Of C++ there is no locale of a thread: OpenMM's expressions are read by the process's, as 15 where 1.5 is written in
 * one with a decimal comma, and it says nothing. */
static bool misreads_numbers()
{
    const std::locale global;
    if (global == std::locale::classic())
        return false;
    const auto &style = std::use_facet<std::numpunct<char>>(global);
    return style.decimal_point() != '.';
}

cardo_status cardo_openmm_guard(cardo_openmm_work work, void *arg, cardo_error *error)
{
    try {
        if (misreads_numbers())
            return CARDO_FAIL(
                error, CARDO_ERROR_UNSUPPORTED,
                "this process has set a locale with a decimal comma for C++, by which "
                "OpenMM misreads numbers: keep C++'s for numbers by "
                "std::locale::global(std::locale(std::locale(), "
                "std::locale::classic(), std::locale::numeric))");
        plain_numbers held;
        return work(arg, error);
    } catch (const std::bad_alloc &) {
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "out of memory inside OpenMM");
    } catch (const std::exception &exception) {
        return CARDO_FAIL(error, CARDO_ERROR_PROVIDER, "OpenMM: %s", exception.what());
    } catch (...) {
        return CARDO_FAIL(error, CARDO_ERROR_PROVIDER,
                          "OpenMM threw something that is no std::exception");
    }
}

static std::recursive_mutex one_at_a_time;

cardo_status cardo_openmm_guard_alone(cardo_openmm_work work, void *arg, cardo_error *error)
{
    const std::lock_guard<std::recursive_mutex> alone(one_at_a_time);
    return cardo_openmm_guard(work, arg, error);
}

struct OpenMM_Context_struct *
cardo_openmm_context_create(const struct OpenMM_System_struct *system,
                            struct OpenMM_Integrator_struct *integrator,
                            struct OpenMM_Platform_struct *platform, int nproperty,
                            const char *const *names, const char *const *values)
{
    std::map<std::string, std::string> properties;
    for (int i = 0; i < nproperty; i++)
        properties[names[i]] = values[i];
    return reinterpret_cast<struct OpenMM_Context_struct *>(
        new OpenMM::Context(*reinterpret_cast<const OpenMM::System *>(system),
                            *reinterpret_cast<OpenMM::Integrator *>(integrator),
                            *reinterpret_cast<OpenMM::Platform *>(platform), properties));
}

void cardo_openmm_force_class(const struct OpenMM_Force_struct *force, char *name, size_t size)
{
    const char *mangled = typeid(*reinterpret_cast<const OpenMM::Force *>(force)).name();
    int status = 0;
    char *full = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    const char *text = status == 0 ? full : mangled;
    const char *colon = std::strrchr(text, ':');
    std::snprintf(name, size, "%s", colon ? colon + 1 : text);
    std::free(full);
}
