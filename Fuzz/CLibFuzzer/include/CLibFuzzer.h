#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own main, as https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library has it.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));
