#include <stdlib.h>

// The number of tests that run at a time. Without a limit, Swift Testing starts all tests at once that are not serialized: tests that only
// compute delay those that wait for a server, and thousands of descriptors are open. Swift Testing reads the variable when it starts, after
// this function has run. A value set by the caller is kept.
__attribute__((constructor)) static void limitConcurrentTests(void) {
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
