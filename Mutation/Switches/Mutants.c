#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Mutants.h"

int anvil_active_mutant = 0;
volatile unsigned char *anvil_reached_mutants = 0;

/// Runs before any Swift code. The file is mapped rather than written at exit: it is complete when the process is killed, and
/// shared with the processes that tests start.
__attribute__((constructor)) static void anvil_read_mutants(void) {
  const char *number = getenv("ANVIL_MUTANT");
  if (number) anvil_active_mutant = atoi(number);
  const char *path = getenv("ANVIL_MUTANTS_REACHED");
  if (!path) return;
  int file = open(path, O_RDWR);
  if (file < 0) return;
  struct stat status;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    void *bytes = mmap(0, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes != MAP_FAILED) anvil_reached_mutants = bytes;
  }
  close(file);
}
