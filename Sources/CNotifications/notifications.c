#include "CNotifications.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

static const char name[] = "org.freedesktop.Notifications";
static const char path[] = "/org/freedesktop/Notifications";
static const char bus_name[] = "org.freedesktop.DBus";

static int match(sd_bus *bus, const char *rule) {
  return sd_bus_call_method(bus, bus_name, "/org/freedesktop/DBus", bus_name, "AddMatch", NULL, NULL, "s", rule);
}

int notifications_open(struct notifications *connection, const char *address) {
  memset(connection, 0, sizeof *connection);
  int result = sd_bus_new(&connection->bus);
  if (result < 0) return result;
  sd_bus *bus = connection->bus;
  if ((result = sd_bus_set_address(bus, address)) >= 0 && (result = sd_bus_set_bus_client(bus, 1)) >= 0
      && (result = sd_bus_start(bus)) >= 0
      && (result = match(bus, "type='signal',sender='org.freedesktop.Notifications',"
                              "interface='org.freedesktop.Notifications'")) >= 0)
    result = match(bus, "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                        "member='NameOwnerChanged',arg0='org.freedesktop.Notifications'");
  if (result < 0) notifications_end(connection);
  return result;
}

void notifications_end(struct notifications *connection) {
  connection->bus = sd_bus_close_unref(connection->bus);
}

// Remembers who answered.
static void answered(struct notifications *connection, sd_bus_message *reply) {
  const char *sender = sd_bus_message_get_sender(reply);
  connection->server[0] = 0;
  if (sender && strlen(sender) < sizeof connection->server) strcpy(connection->server, sender);
}

int notifications_look(struct notifications *connection, bool *actions, bool *markup) {
  sd_bus_message *reply = NULL;
  *actions = *markup = false;
  connection->server[0] = 0;
  int result = sd_bus_call_method(connection->bus, name, path, name, "GetCapabilities", NULL, &reply, "");
  if (result >= 0) result = sd_bus_message_enter_container(reply, 'a', "s");
  const char *capability;
  while (result >= 0 && (result = sd_bus_message_read_basic(reply, 's', &capability)) > 0) {
    if (strcmp(capability, "actions") == 0) *actions = true;
    if (strcmp(capability, "body-markup") == 0) *markup = true;
  }
  if (result >= 0) answered(connection, reply);
  sd_bus_message_unref(reply);
  return result;
}

int notifications_show(
  struct notifications *connection, uint32_t replaced, const char *summary, const char *body, const char *action,
  uint32_t *number) {
  sd_bus_message *reply = NULL;
  // Four words of actions: what the whole of it does, and the button. It stays until it is answered.
  int result = sd_bus_call_method(
    connection->bus, name, path, name, "Notify", NULL, &reply, "susssasa{sv}i", "albumweb", replaced, "albumweb", summary,
    body, 4, "default", action, "answer", action, 2, "desktop-entry", "s", "albumweb", "urgency", "y", 1, 0);
  if (result >= 0) result = sd_bus_message_read_basic(reply, 'u', number);
  if (result >= 0) answered(connection, reply);
  sd_bus_message_unref(reply);
  return result;
}

int notifications_close(struct notifications *connection, uint32_t number) {
  return sd_bus_call_method(connection->bus, name, path, name, "CloseNotification", NULL, NULL, "u", number);
}

// Whether a message is news.
static bool read_news(struct notifications *connection, sd_bus_message *message, struct notifications_news *news) {
  const char *sender = sd_bus_message_get_sender(message);
  if (!sender) return false;
  if (strcmp(sender, bus_name) == 0 && sd_bus_message_is_signal(message, bus_name, "NameOwnerChanged") > 0) {
    *news = (struct notifications_news){.kind = NOTIFICATIONS_SERVER};
    return true;
  }
  if (!connection->server[0] || strcmp(sender, connection->server) != 0) return false;
  if (sd_bus_message_is_signal(message, name, "ActionInvoked") > 0) news->kind = NOTIFICATIONS_CHOSEN;
  else if (sd_bus_message_is_signal(message, name, "NotificationClosed") > 0) news->kind = NOTIFICATIONS_GONE;
  else return false;
  return sd_bus_message_read_basic(message, 'u', &news->number) > 0;
}

int notifications_next(struct notifications *connection, struct notifications_news *news) {
  while (true) {
    sd_bus_message *message = NULL;
    int result = sd_bus_process(connection->bus, &message);
    if (result <= 0) return result;
    if (!message) continue;
    bool is_news = read_news(connection, message, news);
    sd_bus_message_unref(message);
    if (is_news) return 1;
  }
}

int notifications_wait(struct notifications *connection, int wake) {
  int descriptor = sd_bus_get_fd(connection->bus), events = sd_bus_get_events(connection->bus);
  uint64_t until;
  int result = sd_bus_get_timeout(connection->bus, &until);
  if (descriptor < 0 || events < 0 || result < 0) return -ENOTCONN;
  int delay = -1;
  if (until != UINT64_MAX) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t time = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    delay = until <= time ? 0 : (int)((until - time) / 1000 + 1);
  }
  struct pollfd requests[] = {{.fd = descriptor, .events = (short)events}, {.fd = wake, .events = POLLIN}};
  return poll(requests, 2, delay) < 0 && errno != EINTR ? -errno : 0;
}
