#pragma once

// The part of zlib's interface that reads compressed data (https://zlib.net/manual.html, since version 1.2). It is declared
// here, so that nobody needs a development package: the library is on every system of Apple, and on Linux wherever libcurl is,
// which uses it as well; its types and functions have not changed since libz.so.1 (1998).

#include <stddef.h>

typedef struct CInflate_stream {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *allocate;
    void *release;
    void *context;
    int data_type;
    unsigned long checksum;
    unsigned long reserved;
} CInflate_stream;

// The names are those of this module, because another one may have the declarations of the library.
#ifdef __APPLE__
#define CInflate_symbol(name) __asm__("_" name)
#else
#define CInflate_symbol(name) __asm__(name)
#endif

int CInflate_begin(CInflate_stream *stream, int window, const char *version, int size) CInflate_symbol("inflateInit2_");
int CInflate_next(CInflate_stream *stream, int flush) CInflate_symbol("inflate");
int CInflate_reset(CInflate_stream *stream) CInflate_symbol("inflateReset");
int CInflate_end(CInflate_stream *stream) CInflate_symbol("inflateEnd");
unsigned long CInflate_crc32(unsigned long crc, const unsigned char *bytes, unsigned int count) CInflate_symbol("crc32");

/// The first digit is what the library compares.
static const char *const CInflate_version = "1.2.0";
static const int CInflate_ok = 0;
static const int CInflate_streamEnd = 1;
/// No progress is possible: the input or the room for output is at its end.
static const int CInflate_bufferError = -5;
static const int CInflate_noFlush = 0;
/// Deflated data without a head (RFC 1951), with a window of 32 KiB.
static const int CInflate_raw = -15;
/// One member of a gzip file (RFC 1952), whose checksum is checked.
static const int CInflate_gzip = 15 + 16;
