/// zlib, for the content codings gzip and deflate.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#if __has_include(<zlib.h>)
#include <zlib.h>
#else
#error "zlib.h is not there: install zlib1g-dev (Debian, Ubuntu) or zlib-devel (Fedora)"
#endif

/// The macro that tells zlib which header it was compiled against.
static inline int anvil_inflate_start(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }

/// The same for a stream that is compressed, as gzip: 15 is the largest window, 16 more selects the format, 8 is zlib's default memory.
static inline int anvil_gzip_start(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
}

#endif
