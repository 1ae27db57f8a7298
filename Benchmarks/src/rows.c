// What a row of `FetchAssets` costs in C: reads every asset from an index of albumd's, in the order of when they were created,
// and writes what is told of each, with the same ids and the same times.
//
//   rows library.sqlite COUNT
//
// Of files that nothing is known of but what stat(2) says; nobody asks whether somebody may see them, and nothing is kept for a
// page after this one. Prints the replies; fails where there are not COUNT assets.
#include "common.h"
#include <sqlite3.h>

enum { rows_a_page = 1000, longest_row = 2048 };

static uint32_t key_parts[64];
static char page[rows_a_page * longest_row + 64];

static void need(int result, sqlite3 *database) {
    if (result == SQLITE_OK) return;
    fprintf(stderr, "rows: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static int64_t meta(sqlite3 *database, const char *name) {
    sqlite3_stmt *statement;
    need(sqlite3_prepare_v2(database, "SELECT value FROM meta WHERE name = ?", -1, &statement, NULL), database);
    need(sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC), database);
    if (sqlite3_step(statement) != SQLITE_ROW) exit(1);
    int64_t value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

// As XTEA.swift has it.
static void prepare_key(uint64_t high, uint64_t low) {
    uint32_t key[] = {(uint32_t)(high >> 32), (uint32_t)high, (uint32_t)(low >> 32), (uint32_t)low};
    for (uint32_t cycle = 0; cycle < 32; cycle++) {
        uint32_t before = cycle * 0x9E3779B9u, after = (cycle + 1) * 0x9E3779B9u;
        key_parts[2 * cycle] = key[before & 3];
        key_parts[2 * cycle + 1] = key[after >> 11 & 3];
    }
}

static uint32_t mix(uint32_t half) { return ((half << 4) ^ (half >> 5)) + half; }

static char *write_id(char *end, uint64_t number) {
    uint32_t left = (uint32_t)(number >> 32), right = (uint32_t)number, sum = 0;
    for (int half = 0; half < 64; half += 2) {
        left += (mix(right) ^ sum) + key_parts[half];
        sum += 0x9E3779B9u;
        right += (mix(left) ^ sum) + key_parts[half + 1];
    }
    uint64_t block = (uint64_t)left << 32 | right;
    for (int shift = 60; shift >= 0; shift -= 4) *end++ = "0123456789abcdef"[block >> shift & 15];
    return end;
}

static char *write_text(char *end, const char *text) {
    size_t n = strlen(text);
    memcpy(end, text, n);
    return end + n;
}

static char *write_digits(char *end, int64_t value, int count) {
    for (int i = count; i-- > 0; value /= 10) end[i] = (char)('0' + value % 10);
    return end + count;
}

static char *write_number(char *end, int64_t value) {
    int64_t unit = 1;
    int count = 1;
    while (value / unit >= 10) unit *= 10, count++;
    return write_digits(end, value, count);
}

// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". Of times since 1970.
static char *write_instant(char *end, int64_t nanoseconds) {
    int64_t microseconds = nanoseconds / 1000, seconds = microseconds / 1000000, fraction = microseconds % 1000000;
    int64_t days = seconds / 86400 + 719468, second = seconds % 86400, era = days / 146097, day_of_era = days % 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted = (5 * day_of_year + 2) / 153, month = shifted < 10 ? shifted + 3 : shifted - 9;
    end = write_digits(end, year_of_era + era * 400 + (month <= 2), 4);
    *end++ = '-';
    end = write_digits(end, month, 2);
    *end++ = '-';
    end = write_digits(end, day_of_year - (153 * shifted + 2) / 5 + 1, 2);
    *end++ = 'T';
    end = write_digits(end, second / 3600, 2);
    *end++ = ':';
    end = write_digits(end, second / 60 % 60, 2);
    *end++ = ':';
    end = write_digits(end, second % 60, 2);
    if (fraction) {
        *end++ = '.';
        end = write_digits(end, fraction, 6);
    }
    *end++ = 'Z';
    return end;
}

static char *write_name(char *end, const unsigned char *name, int n) {
    for (int i = 0; i < n; i++) {
        if (name[i] < 0x20 || name[i] == '"' || name[i] == '\\' || name[i] > 0x7e) {
            fprintf(stderr, "rows: only plain names\n");
            exit(1);
        }
        *end++ = (char)name[i];
    }
    return end;
}

static char *write_row(char *end, sqlite3_stmt *row) {
    static const char *const types[] = {"image", "video", "livePhoto"}, *const resources[] = {"photo", "video", "photo\",\"pairedVideo"};
    // As MediaType.swift has it.
    int type = sqlite3_column_int(row, 1) - 1;
    int64_t directory = sqlite3_column_int64(row, 5);
    end = write_text(end, "{\"id\":\"");
    end = write_id(end, UINT64_C(1) << 56 | (uint64_t)sqlite3_column_int64(row, 0));
    end = write_text(end, "\",\"filename\":\"");
    int n = sqlite3_column_bytes(row, 6);
    if (n > 255 || type < 0 || type > 2) exit(1);
    end = write_name(end, sqlite3_column_blob(row, 6), n);
    end = write_text(end, "\",\"albums\":[");
    if (directory > 0) {
        *end++ = '"';
        end = write_id(end, UINT64_C(2) << 56 | (uint64_t)directory);
        *end++ = '"';
    }
    end = write_text(end, "],\"mediaType\":\"");
    end = write_text(end, types[type]);
    end = write_text(end, "\",\"byteCount\":");
    end = write_number(end, sqlite3_column_int64(row, 4));
    end = write_text(end, ",\"created\":\"");
    end = write_instant(end, sqlite3_column_int64(row, 2));
    end = write_text(end, "\",\"modified\":\"");
    end = write_instant(end, sqlite3_column_int64(row, 3));
    end = write_text(end, "\",\"resources\":[\"");
    end = write_text(end, resources[type]);
    return write_text(end, "\"],\"createdFrom\":\"file\",\"offline\":false}");
}

int main(int argc, char **argv) {
    sqlite3 *database;
    sqlite3_stmt *row;
    if (argc != 3) {
        fprintf(stderr, "usage: rows library.sqlite COUNT\n");
        return 2;
    }
    need(sqlite3_open_v2(argv[1], &database, SQLITE_OPEN_READONLY, NULL), database);
    prepare_key((uint64_t)meta(database, "keyHigh"), (uint64_t)meta(database, "keyLow"));
    need(sqlite3_prepare_v2(database,
                            "SELECT id, mediaType, created, modified, byteCount, directory, name FROM asset INDEXED BY asset_created "
                            "ORDER BY created, id",
                            -1, &row, NULL),
         database);
    int result;
    long all = 0;
    do {
        char *end = write_text(page, "{\"parameters\":{\"assets\":[");
        int count = 0;
        while (count < rows_a_page && (result = sqlite3_step(row)) == SQLITE_ROW) {
            if (count++) *end++ = ',';
            end = write_row(end, row);
        }
        all += count;
        end = write_text(end, "]},\"continues\":true}");
        *end++ = 0;
        write_all(STDOUT_FILENO, page, (size_t)(end - page));
    } while (result == SQLITE_ROW);
    if (result == SQLITE_DONE && all == atol(argv[2])) return 0;
    fprintf(stderr, "rows: %ld assets are there\n", all);
    return 1;
}
