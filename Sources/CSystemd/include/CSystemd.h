// libsystemd 252 and later, as Swift sees it: only what albumd uses, and no variadic function
// (sd_notifyf, sd_journal_send), which Swift cannot call.
#pragma once
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>
