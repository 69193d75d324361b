#pragma once
#include <zlib.h>

// zlib's initialisers are macros that pass the header's version and structure size, which Swift cannot call.
enum { CZLIB_WINDOW_BITS = 15, CZLIB_GZIP = 16, CZLIB_MEMORY_LEVEL = 8 };

static inline int czlib_deflate_begin(z_stream *stream, int level, int window_bits) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, CZLIB_MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
}

static inline int czlib_inflate_begin(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }
