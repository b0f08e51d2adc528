#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

/// How often the process has asked for memory so far: `malloc`, `calloc`, `realloc` and aligned ones.
///
/// Exact while one thread allocates. -1 where allocations are not counted, which is anywhere but with glibc.
long anvil_allocation_count(void);

/// How many bytes the process holds from `malloc`; -1 where this is not known.
long anvil_live_bytes(void);

#endif
