#include "base/letters.h"
#include "base/units.h"
#include "structure/atoms/structure.h"

#include <string.h>

/* Standard atomic weights (abridged to five digits), IUPAC 2021: Prohaska et al., Pure Appl. Chem.
 * 94 (2022) 573. Elements without a stable isotope have none there and get 0. */
static const struct {
    const char symbol[3];
    double mass;
} elements[] = {
    {"", 0},        {"H", 1.008},   {"He", 4.0026}, {"Li", 6.94},   {"Be", 9.0122}, {"B", 10.81},
    {"C", 12.011},  {"N", 14.007},  {"O", 15.999},  {"F", 18.998},  {"Ne", 20.180}, {"Na", 22.990},
    {"Mg", 24.305}, {"Al", 26.982}, {"Si", 28.085}, {"P", 30.974},  {"S", 32.06},   {"Cl", 35.45},
    {"Ar", 39.95},  {"K", 39.098},  {"Ca", 40.078}, {"Sc", 44.956}, {"Ti", 47.867}, {"V", 50.942},
    {"Cr", 51.996}, {"Mn", 54.938}, {"Fe", 55.845}, {"Co", 58.933}, {"Ni", 58.693}, {"Cu", 63.546},
    {"Zn", 65.38},  {"Ga", 69.723}, {"Ge", 72.630}, {"As", 74.922}, {"Se", 78.971}, {"Br", 79.904},
    {"Kr", 83.798}, {"Rb", 85.468}, {"Sr", 87.62},  {"Y", 88.906},  {"Zr", 91.224}, {"Nb", 92.906},
    {"Mo", 95.95},  {"Tc", 0},      {"Ru", 101.07}, {"Rh", 102.91}, {"Pd", 106.42}, {"Ag", 107.87},
    {"Cd", 112.41}, {"In", 114.82}, {"Sn", 118.71}, {"Sb", 121.76}, {"Te", 127.60}, {"I", 126.90},
    {"Xe", 131.29}, {"Cs", 132.91}, {"Ba", 137.33}, {"La", 138.91}, {"Ce", 140.12}, {"Pr", 140.91},
    {"Nd", 144.24}, {"Pm", 0},      {"Sm", 150.36}, {"Eu", 151.96}, {"Gd", 157.25}, {"Tb", 158.93},
    {"Dy", 162.50}, {"Ho", 164.93}, {"Er", 167.26}, {"Tm", 168.93}, {"Yb", 173.05}, {"Lu", 174.97},
    {"Hf", 178.49}, {"Ta", 180.95}, {"W", 183.84},  {"Re", 186.21}, {"Os", 190.23}, {"Ir", 192.22},
    {"Pt", 195.08}, {"Au", 196.97}, {"Hg", 200.59}, {"Tl", 204.38}, {"Pb", 207.2},  {"Bi", 208.98},
    {"Po", 0},      {"At", 0},      {"Rn", 0},      {"Fr", 0},      {"Ra", 0},      {"Ac", 0},
    {"Th", 232.04}, {"Pa", 231.04}, {"U", 238.03},  {"Np", 0},      {"Pu", 0},      {"Am", 0},
    {"Cm", 0},      {"Bk", 0},      {"Cf", 0},      {"Es", 0},      {"Fm", 0},      {"Md", 0},
    {"No", 0},      {"Lr", 0},      {"Rf", 0},      {"Db", 0},      {"Sg", 0},      {"Bh", 0},
    {"Hs", 0},      {"Mt", 0},      {"Ds", 0},      {"Rg", 0},      {"Cn", 0},      {"Nh", 0},
    {"Fl", 0},      {"Mc", 0},      {"Lv", 0},      {"Ts", 0},      {"Og", 0},
};

enum { ELEMENT_COUNT = sizeof elements / sizeof elements[0] };

int cardo_element_number(const char *symbol)
{
    size_t length = strlen(symbol);
    if (length < 1 || length > 2)
        return 0;
    char first = cardo_upper(symbol[0]);
    char second = cardo_lower(symbol[1]);
    if (first == 'D' && !second) /* deuterium */
        return 1;
    for (int z = 1; z < ELEMENT_COUNT; ++z)
        if (elements[z].symbol[0] == first && elements[z].symbol[1] == second)
            return z;
    return 0;
}

const char *cardo_element_symbol(int number)
{
    return number > 0 && number < ELEMENT_COUNT ? elements[number].symbol : "";
}

/* Covalent radii in angstrom: Cordero et al., Dalton Trans. (2008) 2832, carbon's as sp3. */
static const struct {
    int number;
    double radius;
} covalent[] = {
    {1, 0.31},  {5, 0.84},  {6, 0.76},  {7, 0.71},  {8, 0.66},  {9, 0.57},  {14, 1.11}, {15, 1.07},
    {16, 1.05}, {17, 1.02}, {33, 1.19}, {34, 1.20}, {35, 1.20}, {52, 1.38}, {53, 1.39}, {85, 1.50},
};

enum { COVALENT_COUNT = sizeof covalent / sizeof covalent[0] };

double cardo_element_covalent_radius(int number)
{
    for (int k = 0; k < COVALENT_COUNT; ++k)
        if (covalent[k].number == number)
            return covalent[k].radius * CARDO_ANGSTROM;
    return 0;
}

double cardo_element_longest_bond(int one, int other)
{
    static const double slack = 1.3;
    double a = cardo_element_covalent_radius(one), b = cardo_element_covalent_radius(other);
    return a > 0 && b > 0 ? slack * (a + b) : 0;
}

bool cardo_element_is_metal(int number)
{
    static const unsigned char noble[] = {0, 2, 10, 18, 36, 54, 86};
    for (size_t k = 0; k < sizeof noble; ++k)
        if (noble[k] == number)
            return false;
    return cardo_element_covalent_radius(number) == 0;
}

bool cardo_is_deuterium(int number, const char *atom_name)
{
    return number == 1 && atom_name[strspn(atom_name, "0123456789")] == 'D';
}

double cardo_element_mass(int number)
{
    return number > 0 && number < ELEMENT_COUNT ? elements[number].mass : 0;
}
