#include <stddef.h>
#include <zlib.h>

// The library's initializers are macros, which Swift does not see. Sizes are those of `unsigned int`.

/// 15 bits of window, and the head and the checksum of gzip (RFC 1952).
static const int CZlib_gzip = 15 + 16;
/// 15 bits of window, and the head and the checksum of zlib (RFC 1950).
static const int CZlib_zlib = 15;

/// Compresses bytes in one of the two formats. Returns the size; 0 when it does not fit into `room`, or there is no memory.
static inline size_t CZlib_compress(
    const void *bytes, unsigned int count, void *target, unsigned int room, int level, int format
) {
    z_stream stream = {0};
    if (deflateInit2(&stream, level, Z_DEFLATED, format, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (Bytef *)bytes;  // The library does not write to it.
    stream.avail_in = count;
    stream.next_out = (Bytef *)target;
    stream.avail_out = room;
    int result = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    return result == Z_STREAM_END ? room - stream.avail_out : 0;
}
