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

/// Whether there is anything that a JSON string escapes in sixteen bytes: a bit for each such byte. `slash` is a slash, or a quotation
/// mark if slashes are not escaped.
static inline anvil_lanes anvil_find_escaped_lanes(anvil_vector vector, unsigned char slash) {
  return anvil_find_set_lanes(
      (anvil_vector)((vector == 0x22) | (vector == 0x5C) | (vector < 0x20) | (vector == slash)));
}

/// A bit for each space among the 32 bytes from `bytes` on.
static inline anvil_lanes anvil_find_spaces(const void *bytes) {
  const anvil_vector low = anvil_load(bytes);
  const anvil_vector high = anvil_load((const char *)bytes + 16);
  return anvil_find_set_lanes((anvil_vector)(low == 0x20)) | anvil_find_set_lanes((anvil_vector)(high == 0x20)) << 16;
}

/// Whether the first fifteen bytes are five scalars of three bytes each in UTF-8, none of which begins with E0 or ED. Those two need
/// further checks.
static inline int anvil_is_five_of_three_bytes(const void *bytes) {
  const anvil_vector vector = anvil_load(bytes);
  const anvil_vector mask = {0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0, 0};
  const anvil_vector form = {0xE0, 0x80, 0x80, 0xE0, 0x80, 0x80, 0xE0, 0x80, 0x80, 0xE0, 0x80, 0x80, 0xE0, 0x80, 0x80, 0};
  const anvil_vector others =
      (anvil_vector)(((vector & mask) != form) | (vector == 0xE0) | (vector == 0xED));
  return (anvil_find_set_lanes(others) & 0x7FFF) == 0;
}

typedef unsigned short anvil_short_vector __attribute__((vector_size(16)));
typedef unsigned int anvil_int_vector __attribute__((vector_size(16)));
typedef unsigned long long anvil_long_vector __attribute__((vector_size(16)));
typedef signed char anvil_signed_vector __attribute__((vector_size(16)));

/// The upper halves of the products.
static inline anvil_short_vector anvil_multiply_high(anvil_short_vector vector, unsigned int factor) {
  typedef unsigned int wide __attribute__((vector_size(32)));
  return __builtin_convertvector(__builtin_convertvector(vector, wide) * factor >> 16, anvil_short_vector);
}

/// The decimal digits of two numbers below 10^8, eight of each, the first in the first byte. They are divided into halves, quarters
/// and digits, as `DigitWord` does; each quotient is exact for values this small.
static inline anvil_vector anvil_sixteen_digits(unsigned long long leading, unsigned long long trailing) {
  const anvil_long_vector words = {leading & 0xFFFFFFFF, trailing & 0xFFFFFFFF};
  const anvil_long_vector upper = words * 109951163 >> 40;
  const anvil_long_vector halves = upper | (words - (upper & 0xFFFFFFFF) * 10000) << 32;
  // As a vector of integers, because the compiler would shift the products before it takes their upper halves.
  const anvil_short_vector hundreds =
      (anvil_short_vector)((anvil_int_vector)anvil_multiply_high((anvil_short_vector)halves, 5243) >> 3);
  const anvil_short_vector quarters =
      hundreds | (anvil_short_vector)((anvil_int_vector)((anvil_short_vector)halves - hundreds * 100) << 16);
  const anvil_short_vector tens = anvil_multiply_high(quarters, 6554);
  return (anvil_vector)(tens | (quarters - tens * 10) << 8);
}

/// The number of the last bytes of `digits` that are zero.
static inline int anvil_count_trailing_zeros(anvil_vector digits) {
  const anvil_lanes set = anvil_find_set_lanes((anvil_vector)(digits != 0));
  return __builtin_clz(set << 16 | 0x8000);
}

/// The bytes of a number from its third on, if `digits` are those after its first, and a decimal point is the byte `point`, 1 to 17.
/// The byte of the point itself is any.
static inline anvil_vector anvil_digits_around_point(anvil_vector digits, int point) {
  const anvil_vector zeros = {0};
  const anvil_vector next =
      __builtin_shufflevector(digits, zeros, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  const anvil_signed_vector indices = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
  const anvil_vector before = (anvil_vector)(indices < (signed char)point);
  return (next & before) | (digits & ~before);
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

// Declared here because glibc's header declares it only with a macro that changes other declarations as well. Where the system's header declares
// it too, Swift imports that declaration, whose counts are `Int`.
void *memmem(const void *bytes, __SIZE_TYPE__ count, const void *part, __SIZE_TYPE__ partCount);

// Finds `part` in `bytes`.
static inline void *anvil_find(const void *bytes, unsigned long count, const void *part, unsigned long partCount) {
  return memmem(bytes, count, part, partCount);
}

#endif
