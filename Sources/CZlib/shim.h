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

#endif
