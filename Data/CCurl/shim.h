#pragma once

// The part of libcurl's interface that the client of a server uses (https://curl.se/libcurl/c/, since version 7.32). It is
// declared here, so that nobody needs a development package: the library is there wherever Foundation on Linux is, which
// uses it as well, and its names, numbers and types have not changed since libcurl.so.4 (2006).

#include <stddef.h>
#include <stdint.h>

typedef void CURL;
typedef void CURLM;
typedef int CURLcode;
typedef int CURLMcode;
typedef int CURLoption;

struct curl_slist;
typedef struct curl_slist CurlList;

typedef struct CURLMsg {
    int msg;
    CURL *easy_handle;
    union {
        void *whatever;
        CURLcode result;
    } data;
} CURLMsg;

struct curl_waitfd {
    int fd;
    short events;
    short revents;
};

CURLcode curl_global_init(long flags);
CURL *curl_easy_init(void);
void curl_easy_cleanup(CURL *handle);
CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...);
CURLcode curl_easy_getinfo(CURL *handle, int info, ...);
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text);
void curl_slist_free_all(struct curl_slist *list);

CURLM *curl_multi_init(void);
CURLMcode curl_multi_cleanup(CURLM *multi);
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *handle);
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *handle);
CURLMcode curl_multi_perform(CURLM *multi, int *running);
CURLMcode curl_multi_wait(CURLM *multi, struct curl_waitfd *extra, unsigned int count, int milliseconds, int *ready);
CURLMsg *curl_multi_info_read(CURLM *multi, int *left);

static const long CURL_GLOBAL_DEFAULT = 3;
static const int CURL_ERROR_SIZE = 256;
static const int CURLMSG_DONE = 1;
static const int CURL_WAIT_POLLIN = 1;
static const int CURL_HTTP_VERSION_1_1 = 2;
static const int CURL_SSLVERSION_TLSv1_2 = 6;
static const int CURLPROTO_HTTP_AND_HTTPS = 3;

static const int CURLINFO_RESPONSE_CODE = 0x200000 + 2;
static const int CURLINFO_PRIVATE = 0x100000 + 21;

static const int CURLOPT_SSLVERSION = 32;
static const int CURLOPT_NOPROGRESS = 43;
static const int CURLOPT_POST = 47;
static const int CURLOPT_FRESH_CONNECT = 74;
static const int CURLOPT_FORBID_REUSE = 75;
static const int CURLOPT_HTTPGET = 80;
static const int CURLOPT_HTTP_VERSION = 84;
static const int CURLOPT_NOSIGNAL = 99;
static const int CURLOPT_CONNECTTIMEOUT_MS = 156;
static const int CURLOPT_PROTOCOLS = 181;
static const int CURLOPT_WRITEDATA = 10001;
static const int CURLOPT_URL = 10002;
static const int CURLOPT_ERRORBUFFER = 10010;
static const int CURLOPT_POSTFIELDS = 10015;
static const int CURLOPT_HTTPHEADER = 10023;
static const int CURLOPT_HEADERDATA = 10029;
static const int CURLOPT_CUSTOMREQUEST = 10036;
static const int CURLOPT_XFERINFODATA = 10057;
static const int CURLOPT_ACCEPT_ENCODING = 10102;
static const int CURLOPT_PRIVATE = 10103;
static const int CURLOPT_WRITEFUNCTION = 20011;
static const int CURLOPT_HEADERFUNCTION = 20079;
static const int CURLOPT_XFERINFOFUNCTION = 20219;
static const int CURLOPT_POSTFIELDSIZE_LARGE = 30120;

static const int CURLE_OK = 0;
static const int CURLE_UNSUPPORTED_PROTOCOL = 1;
static const int CURLE_URL_MALFORMAT = 3;
static const int CURLE_COULDNT_RESOLVE_PROXY = 5;
static const int CURLE_COULDNT_RESOLVE_HOST = 6;
static const int CURLE_COULDNT_CONNECT = 7;
static const int CURLE_WEIRD_SERVER_REPLY = 8;
static const int CURLE_OPERATION_TIMEDOUT = 28;
static const int CURLE_SSL_CONNECT_ERROR = 35;
static const int CURLE_SSL_CERTPROBLEM = 58;
static const int CURLE_PEER_FAILED_VERIFICATION = 60;
static const int CURLE_BAD_CONTENT_ENCODING = 61;
static const int CURLE_SSL_CACERT_BADFILE = 77;
static const int CURLE_SSL_ISSUER_ERROR = 83;
static const int CURLE_SSL_PINNEDPUBKEYNOTMATCH = 90;
static const int CURLE_SSL_INVALIDCERTSTATUS = 91;

// Swift does not import functions with a variable number of arguments.

static inline CURLcode curl_easy_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_easy_set_size(CURL *handle, CURLoption option, int64_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_easy_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_easy_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_easy_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*CurlReceive)(char *bytes, size_t size, size_t count, void *context);
typedef int (*CurlProgress)(void *context, int64_t toReceive, int64_t received, int64_t toSend, int64_t sent);

static inline CURLcode curl_easy_set_receive(CURL *handle, CURLoption option, CurlReceive function) {
    return curl_easy_setopt(handle, option, function);
}

static inline CURLcode curl_easy_set_progress(CURL *handle, CURLoption option, CurlProgress function) {
    return curl_easy_setopt(handle, option, function);
}

static inline long curl_easy_status(CURL *handle) {
    long status = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

static inline void *curl_easy_context(CURL *handle) {
    void *context = NULL;
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, &context) == CURLE_OK ? context : NULL;
}
