#pragma once

#include <stddef.h>

/// SHA-256 that is being computed (libgcrypt's gcry_md_hd_t).
typedef struct gcry_md_handle *digests_sha256;

/// Begins one; NULL where there is no memory, or the library will not do it.
digests_sha256 digests_sha256_open(void);

/// Goes on with these bytes.
void digests_sha256_update(digests_sha256 digest, const void *bytes, size_t count);

/// Of all bytes so far, 32 bytes. No more can follow.
void digests_sha256_read(digests_sha256 digest, void *result);

/// Ends it.
void digests_sha256_close(digests_sha256 digest);
