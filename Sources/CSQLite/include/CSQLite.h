// What Swift cannot call of SQLite: functions with variadic arguments.
#pragma once

/// Has SQLite keep no account of the memory that it uses (SQLITE_CONFIG_MEMSTATUS,
/// https://sqlite.org/c3ref/c_config_covering_index_scan.html). Does nothing once SQLite was used.
void sqlite_keep_no_memory_statistics(void);
