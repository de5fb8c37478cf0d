#include "study/session/head.h"

#include "study/session/forces.h"
#include "study/session/result.h"

static void add_text(cardo_result *into, const char *name, const char *text)
{
    if (text && *text)
        cardo_result_text(into, &(cardo_quantity){name}, text);
}

static void add_notes(const cardo_model *model, cardo_result *into)
{
    cardo_result *notes = cardo_result_table(into, "notes", "note");
    for (int k = 0; k < model->nstructure; ++k) {
        if (!model->structure[k].note)
            continue;
        cardo_result_row(notes);
        add_text(notes, "structure", model->structure[k].id);
        add_text(notes, "note", model->structure[k].note);
    }
}

void cardo_session_head(const cardo_session *session, cardo_result *into)
{
    char engine[CARDO_ENGINE_TEXT], choice[CARDO_CHOICE_TEXT];
    const cardo_model *model = session->model;
    add_text(into, "model", model->name);
    cardo_result_integer(into, &(cardo_quantity){"atoms"}, cardo_system_nstation(session->system));
    cardo_result_integer(into, &(cardo_quantity){"bodies"}, model->nbody);
    cardo_result_integer(into, &(cardo_quantity){"degrees_of_freedom"},
                         session->assembled.freedoms);
    add_notes(model, into);
    if (!session->provider)
        return;
    add_text(into, "engine", cardo_session_engine(session, engine));
    add_text(into, "solvent", model->forcefield.solvent);
    cardo_session_fill_salt(session, into);
    add_text(into, "method", model->forcefield.method);
    add_text(into, "choice", cardo_session_choice(session, choice));
    cardo_result_truth(into, &(cardo_quantity){"deterministic"},
                       session->provider->traits & CARDO_FORCE_DETERMINISTIC);
}

cardo_status cardo_session_announce(const cardo_session *session,
                                    void (*add)(const void *self, cardo_result *head),
                                    const void *self, cardo_error *error)
{
    const cardo_listener *listener = &session->listener;
    cardo_result *head;
    if (!listener->begin)
        return CARDO_OK;
    cardo_status status = cardo_result_create(&head, error);
    if (status != CARDO_OK)
        return status;
    cardo_session_head(session, head);
    cardo_judgement_fill(session, head);
    if (add)
        add(self, head);
    status = cardo_result_status(head, error);
    if (status == CARDO_OK)
        listener->begin(listener->user, head);
    cardo_result_destroy(head);
    return status;
}
