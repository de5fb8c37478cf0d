/* The force element that contact is (cardo/contact.h). */
#ifndef CARDO_MULTIBODY_CONTACT_CONTACT_H
#define CARDO_MULTIBODY_CONTACT_CONTACT_H

#include "cardo/contact.h"

extern const cardo_force_element cardo_force_contact;

#endif
