// The desktop's notifications (Desktop Notifications Specification 1.2) at the session bus, by libsystemd's sd-bus: most of
// its calls are variadic, which Swift cannot call.
//
// One thread uses all of them. What waits for an answer waits 25 seconds at most. Negative results are errno(3)'s.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-bus.h>

struct notifications {
  sd_bus *bus;
  // Who shows them, by the bus's own name for it: nobody else's signals count. Empty while there is none.
  char server[256];
};

enum notifications_kind {
  // Another program shows notifications from now on, or none does any more.
  NOTIFICATIONS_SERVER = 1,
  // A person has chosen an action of one, or the whole of it.
  NOTIFICATIONS_CHOSEN,
  // One is not shown any more.
  NOTIFICATIONS_GONE,
};

struct notifications_news {
  enum notifications_kind kind;
  // Of which one.
  uint32_t number;
};

// Connects to the bus at an address.
int notifications_open(struct notifications *connection, const char *address);
void notifications_end(struct notifications *connection);

// Finds out who shows notifications, which the bus may start for it. `actions`: whether they can be answered. `markup`:
// whether a body is read as markup.
int notifications_look(struct notifications *connection, bool *actions, bool *markup);

// Shows one with one action, in the place of `replaced` unless that is 0. `number`: what it is called from now on.
int notifications_show(
  struct notifications *connection, uint32_t replaced, const char *summary, const char *body, const char *action,
  uint32_t *number);
int notifications_close(struct notifications *connection, uint32_t number);

// What has happened: 1 with news, 0 where there is nothing more.
int notifications_next(struct notifications *connection, struct notifications_news *news);
// Waits until there may be something, or `wake` is readable.
int notifications_wait(struct notifications *connection, int wake);
