/// The switches of mutants, which scripts/mutate adds to the headers of CAnvilVectors in its copy of the package: every Swift
/// target depends on that module already. No header of the C library is included, as in CAnvilVectors.h.
#ifndef ANVIL_MUTANTS_H
#define ANVIL_MUTANTS_H

/// The number of the mutant that is switched on, from ANVIL_MUTANT; 0 without one.
extern int anvil_active_mutant;

/// A byte for each mutant that is set when its code is reached: the mapped file of ANVIL_MUTANTS_REACHED. Null without one.
extern volatile unsigned char *anvil_reached_mutants;

/// Whether a mutant is switched on.
static inline _Bool anvilMutant(int number) {
  if (__builtin_expect(anvil_reached_mutants != 0, 0)) anvil_reached_mutants[number] = 1;
  return anvil_active_mutant == number;
}

#endif
