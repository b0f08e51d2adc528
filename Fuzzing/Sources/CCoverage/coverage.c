// libFuzzer reads and clears all coverage counters after each run, also those of code that a target does not use. That takes half of a run.
// These functions hide the other counters from libFuzzer. The linker has the instrumented code call them (--wrap).
//
// ANVIL_FUZZ_COUNTERS has the indices of the counters that are used: 0-52,1024-1030. Without the variable, all are used.
#ifdef __linux__
#include <stdint.h>
#include <stdlib.h>

void __real___sanitizer_cov_8bit_counters_init(char *start, char *end);
void __real___sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end);

/// Sets `start` and `end` to the next range in `text`, and `text` to its end. Returns 0 after the last range.
static int next_range(char **text, size_t *start, size_t *end) {
  if (**text == 0) return 0;
  *start = strtoull(*text, text, 10);
  *end = strtoull(*text + 1, text, 10);
  if (**text == ',') ++*text;
  return 1;
}

void __wrap___sanitizer_cov_8bit_counters_init(char *start, char *end) {
  // Each object file registers the counters of all.
  static int is_registered = 0;
  if (is_registered++) return;
  char *text = getenv("ANVIL_FUZZ_COUNTERS");
  if (text == NULL) __real___sanitizer_cov_8bit_counters_init(start, end);
  for (size_t first, last; text != NULL && next_range(&text, &first, &last);)
    __real___sanitizer_cov_8bit_counters_init(start + first, start + last);
}

/// Each counter has two words: the address of its code, and flags.
void __wrap___sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end) {
  static int is_registered = 0;
  if (is_registered++) return;
  char *text = getenv("ANVIL_FUZZ_COUNTERS");
  if (text == NULL) __real___sanitizer_cov_pcs_init(start, end);
  for (size_t first, last; text != NULL && next_range(&text, &first, &last);)
    __real___sanitizer_cov_pcs_init(start + first * 2, start + last * 2);
}
#endif
