#include "CDigests.h"

#include <gcrypt.h>
#include <pthread.h>
#include <string.h>

// Once in a process, before anything else of the library; no pages are locked for what is no secret
// (https://www.gnupg.org/documentation/manuals/gcrypt/Initializing-the-library.html).
static void initialize(void) {
  if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) return;
  gcry_check_version(NULL);
  gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
  gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

digests_sha256 digests_sha256_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  gcry_md_hd_t digest;
  pthread_once(&once, initialize);
  return gcry_md_open(&digest, GCRY_MD_SHA256, 0) == 0 ? digest : NULL;
}

void digests_sha256_update(digests_sha256 digest, const void *bytes, size_t count) {
  gcry_md_write(digest, bytes, count);
}

void digests_sha256_read(digests_sha256 digest, void *result) {
  memcpy(result, gcry_md_read(digest, GCRY_MD_SHA256), 32);
}

void digests_sha256_close(digests_sha256 digest) {
  gcry_md_close(digest);
}
