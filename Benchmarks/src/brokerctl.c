// brokerctl BROKER SOCKET: dbus-broker without its launcher and without systemd. It is started with BROKER, the path
// of dbus-broker, gets one listening socket and a policy that allows everything, and prints the broker's process id.
// Both end together.
#include "common.h"
#include <signal.h>
#include <sys/prctl.h>
#include <systemd/sd-bus.h>

// The types of org.bus1.DBus.Broker (dbus-broker, src/launch/policy.c): a rule set of own, send and receive rules.
#define RULES "a(btbs)a(btssssuutt)a(btssssuutt)"
#define POLICY "a(u(bt" RULES "))a(buu(bt" RULES "))a(ss)bs"

static void check(int status, const char *what) {
    if (status >= 0) return;
    errno = -status;
    die(what);
}

static pid_t start_broker(const char *broker, int controller, int other_end) {
    pid_t pid = fork();
    if (pid < 0) die("fork");
    if (pid > 0) return pid;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    close(other_end);
    char number[16];
    snprintf(number, sizeof number, "%d", controller);
    execl(broker, "dbus-broker", "--controller", number, "--machine-id", "00112233445566778899aabbccddeeff",
          "--max-matches", "1000000", "--max-objects", "1000000", "--max-bytes", "1000000000", "--max-fds", "100000",
          (char *)NULL);
    die(broker);
    return -1;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: brokerctl BROKER SOCKET\n");
        return 2;
    }
    raise_open_files();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int listener = unix_listen(argv[2]), ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends)) die("socketpair");
    pid_t broker = start_broker(argv[1], ends[1], ends[0]);
    close(ends[1]);

    sd_bus *bus = NULL;
    check(sd_bus_new(&bus), "sd_bus_new");
    check(sd_bus_set_fd(bus, ends[0], ends[0]), "sd_bus_set_fd");
    check(sd_bus_start(bus), "sd_bus_start");
    sd_bus_message *call = NULL;
    check(sd_bus_message_new_method_call(bus, &call, NULL, "/org/bus1/DBus/Broker", "org.bus1.DBus.Broker", "AddListener"),
          "AddListener");
    check(sd_bus_message_append(call, "oh", "/org/bus1/DBus/Listener/0", listener), "the listener");
    check(sd_bus_message_open_container(call, 'v', "(" POLICY ")"), "the policy");
    check(sd_bus_message_open_container(call, 'r', POLICY), "the policy");
    // For every user: may connect, own every name, send and receive everything.
    check(sd_bus_message_append(call, "a(u(bt" RULES "))", 1, (uint32_t)-1, 1, UINT64_C(1), 1, 1, UINT64_C(1), 1, "", 1, 1,
                                UINT64_C(1), "", "", "", "", 0, 0, UINT64_C(0), UINT64_MAX, 1, 1, UINT64_C(1), "", "", "", "",
                                0, 0, UINT64_C(0), UINT64_MAX),
          "the policy");
    check(sd_bus_message_append(call, "a(buu(bt" RULES "))", 0), "the policy");
    check(sd_bus_message_append(call, "a(ss)bs", 0, 0, "session"), "the policy");
    check(sd_bus_message_close_container(call), "the policy");
    check(sd_bus_message_close_container(call), "the policy");
    check(sd_bus_call(bus, call, 0, NULL, NULL), "AddListener");
    printf("%d\n", (int)broker);
    fflush(stdout);
    for (int status;;) {
        if ((status = sd_bus_process(bus, NULL)) < 0) return 0;
        if (!status && sd_bus_wait(bus, UINT64_MAX) < 0) return 0;
    }
}
