/* Sends messages to pages. Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "runtime/base/utf8.h"

cJSON *studio_message(const char *type) {
    cJSON *json = cJSON_CreateObject();
    json_text(json, "type", type);
    return json;
}

static letter *print(cJSON *json) {
    char *text = cJSON_PrintUnformatted(json);
    sb_utf8_mend(text);
    cJSON_Delete(json);
    letter *mail = text ? letter_text(text) : NULL;
    cJSON_free(text);
    return mail;
}

void studio_send(studio *self, uint32_t client, cJSON *json) {
    letter *mail = print(json);
    if (self->net) net_send(self->net, client, MAIL_MUST, 0, mail);
    letter_drop(mail);
}

static bool wants(const studio_client *client, unsigned topics) {
    return client->number && client->has_hello &&
           (client->topics & topics) == topics;
}

bool studio_has_listener(const studio *self, unsigned topics) {
    for (int i = 0; i < NET_CLIENTS; i++)
        if (wants(&self->clients[i], topics)) return true;
    return false;
}

void studio_send_all(studio *self, mail_class class, unsigned topics,
                     cJSON *json) {
    if (!self->net || !studio_has_listener(self, topics)) {
        cJSON_Delete(json);
        return;
    }
    letter *mail = print(json);
    for (int i = 0; i < NET_CLIENTS; i++)
        if (wants(&self->clients[i], topics))
            net_send(self->net, self->clients[i].number, class, 0, mail);
    letter_drop(mail);
}

letter *studio_record(studio *self, int type, size_t payload, double time_s) {
    return letter_record(type, self->sequence[type % 16]++, payload, time_s);
}

void studio_send_record(studio *self, unsigned topics, mail_class class,
                        int type, letter *record) {
    for (int i = 0; i < NET_CLIENTS && self->net && record; i++)
        if (wants(&self->clients[i], topics))
            net_send(self->net, self->clients[i].number, class, type, record);
    letter_drop(record);
}
