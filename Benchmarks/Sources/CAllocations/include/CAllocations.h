#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

/// The number of allocations of the process so far: `malloc`, `calloc`, `realloc` and aligned allocations.
///
/// Exact while only one thread allocates. -1 without glibc, where allocations are not counted.
long anvil_allocation_count(void);

/// The number of bytes allocated with `malloc` and not freed; -1 where this is not known.
long anvil_live_bytes(void);

#endif
