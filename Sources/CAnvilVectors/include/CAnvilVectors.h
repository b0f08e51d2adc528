/// Comparisons of bytes whose results are bits: what Swift's vectors have no operation for.
///
/// Clang's vectors, which it compiles for any processor: to one instruction for the bits on x86-64, to few on AArch64. Nothing
/// is chosen at run time. The headers with a processor's own operations are not included: importing them here would take
/// declarations of the C library away from the module that users import for them.
///
/// All functions read sixteen bytes from `bytes` on, or as many as they say, which need not be aligned, and nothing else.
#ifndef CANVILVECTORS_H
#define CANVILVECTORS_H

/// A bit for each of sixteen bytes, the first byte's the lowest.
typedef unsigned int anvil_lanes;

/// What there is in sixteen bytes of a JSON string.
typedef struct {
  /// Quotation marks, backslashes and control characters.
  anvil_lanes specials;
  /// Bytes of 0x80 and more.
  anvil_lanes beyond_ascii;
} anvil_string_lanes;

typedef unsigned char anvil_vector __attribute__((vector_size(16)));
typedef _Bool anvil_bits __attribute__((ext_vector_type(16)));

static inline anvil_vector anvil_load(const void *bytes) {
  anvil_vector vector;
  __builtin_memcpy(&vector, bytes, sizeof vector);
  return vector;
}

/// The bytes of `vector` that are not zero.
static inline anvil_lanes anvil_find_set_lanes(anvil_vector vector) {
  const anvil_bits bits = __builtin_convertvector(vector, anvil_bits);
  unsigned short lanes;
  __builtin_memcpy(&lanes, &bits, sizeof lanes);
  return lanes;
}

static inline anvil_string_lanes anvil_find_string_lanes(const void *bytes) {
  const anvil_vector vector = anvil_load(bytes);
  const anvil_vector specials = (anvil_vector)((vector == 0x22) | (vector == 0x5C) | (vector < 0x20));
  const anvil_string_lanes lanes = {anvil_find_set_lanes(specials), anvil_find_set_lanes((anvil_vector)(vector > 0x7F))};
  return lanes;
}

static inline anvil_lanes anvil_find_other_than_white_space(const void *bytes) {
  const anvil_vector vector = anvil_load(bytes);
  return anvil_find_set_lanes(
      (anvil_vector)((vector != 0x20) & (vector != 0x09) & (vector != 0x0A) & (vector != 0x0D)));
}

/// What gives JSON its structure in 64 bytes, whether or not it stands in a string: a bit for each byte.
typedef struct {
  unsigned long long quotation_marks;
  unsigned long long backslashes;
  /// Of arrays and objects.
  unsigned long long openings;
  /// Of arrays and objects.
  unsigned long long closings;
} anvil_structure;

/// Of the 64 bytes from `bytes` on.
static inline anvil_structure anvil_find_structure(const void *bytes) {
  anvil_structure structure = {0, 0, 0, 0};
  for (int index = 0; index < 4; index++) {
    const anvil_vector vector = anvil_load((const char *)bytes + 16 * index);
    // Brackets and braces differ in one bit.
    const anvil_vector folded = vector | 0x20;
    const int shift = 16 * index;
    structure.quotation_marks |= (unsigned long long)anvil_find_set_lanes((anvil_vector)(vector == 0x22)) << shift;
    structure.backslashes |= (unsigned long long)anvil_find_set_lanes((anvil_vector)(vector == 0x5C)) << shift;
    structure.openings |= (unsigned long long)anvil_find_set_lanes((anvil_vector)(folded == 0x7B)) << shift;
    structure.closings |= (unsigned long long)anvil_find_set_lanes((anvil_vector)(folded == 0x7D)) << shift;
  }
  return structure;
}

#endif
