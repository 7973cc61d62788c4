#include <poll.h>
#include <string.h>
#include <microhttpd.h>

// Swift cannot call functions with a variable number of arguments: these call them with fixed ones.

/// What a daemon is started with. The strings and the address must live until it has stopped.
struct CMicroHTTP_Settings {
    const struct sockaddr *address;
    int isIPv6;
    size_t memoryPerConnection;
    unsigned int connections;
    /// 0 for no limit.
    unsigned int connectionsPerAddress;
    unsigned int idleSeconds;
    unsigned int threads;
    /// PEM; both NULL without TLS.
    const char *certificate;
    const char *key;
    MHD_AccessHandlerCallback handle;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    size_t (*unescape)(void *, struct MHD_Connection *, char *);
    /// Receives the target of each request, before the head has been read to its end; its result must be NULL.
    void *(*target)(void *, const char *, struct MHD_Connection *);
    void *context;
};

/// TLS 1.2 and later, with ephemeral keys and authenticated encryption only.
static const char CMicroHTTP_priorities[] =
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:"
    "-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD:%SERVER_PRECEDENCE";

static inline struct MHD_Daemon *CMicroHTTP_start(const struct CMicroHTTP_Settings *settings) {
    unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    if (settings->isIPv6) flags |= MHD_USE_IPv6;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)CMicroHTTP_priorities},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    if (settings->certificate) flags |= MHD_USE_TLS;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, settings->handle, settings->context,
        MHD_OPTION_SOCK_ADDR, settings->address,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memoryPerConnection,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->connectionsPerAddress,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idleSeconds,
        MHD_OPTION_THREAD_POOL_SIZE, settings->threads,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->connection, settings->context,
        MHD_OPTION_UNESCAPE_CALLBACK, settings->unescape, settings->context,
        MHD_OPTION_URI_LOG_CALLBACK, settings->target, settings->context,
        MHD_OPTION_ARRAY, settings->certificate ? tls : none,
        MHD_OPTION_END);
}

/// The port on which a daemon listens; 0 if it does not.
static inline unsigned int CMicroHTTP_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/// The socket of a connection; -1 if it has none.
static inline int CMicroHTTP_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// The parameters of a query, counted by their separators; 0 without a query.
static inline size_t CMicroHTTP_parameters(const char *target) {
    const char *rest = strchr(target, '?');
    size_t count = rest ? 1 : 0;
    for (; rest && *rest; rest++) count += *rest == '&';
    return count;
}

/// Cuts the query off a target that the callback for targets has received: the library keeps a node of 64 bytes for each
/// parameter in the memory of the connection, and closes a connection without an answer when that is used up. The target is
/// a part of that memory, which the library itself changes after the callback.
static inline void CMicroHTTP_dropQuery(const char *target) {
    char *query = strchr((char *)target, '?');
    if (query) query[1] = 0;
}

/// The size of the head of the request in bytes, with its first line; known when it has arrived.
static inline size_t CMicroHTTP_headSize(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/// The address of the client; NULL if it is unknown.
static inline const struct sockaddr *CMicroHTTP_client(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/// What the callback for new connections has attached to the socket.
static inline void *CMicroHTTP_attached(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// The results of a content reader that ends.
static const ssize_t CMicroHTTP_endOfStream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t CMicroHTTP_endWithError = MHD_CONTENT_READER_END_WITH_ERROR;

/// The size of a response of unknown length.
static const uint64_t CMicroHTTP_unknownSize = MHD_SIZE_UNKNOWN;

/// The event of `poll` that says that the client has closed its side.
#ifdef __linux__
#define _CMicroHTTP_POLLRDHUP 0x2000
#else
#define _CMicroHTTP_POLLRDHUP 0
#endif
static const short CMicroHTTP_closed = _CMicroHTTP_POLLRDHUP;

// The enumerations of the library have other names in Swift in some of its versions.
static const enum MHD_Result CMicroHTTP_yes = MHD_YES;
static const enum MHD_Result CMicroHTTP_no = MHD_NO;
static const enum MHD_ValueKind CMicroHTTP_header = MHD_HEADER_KIND;
static const enum MHD_ValueKind CMicroHTTP_argument = MHD_GET_ARGUMENT_KIND;
static const enum MHD_ResponseMemoryMode CMicroHTTP_mustCopy = MHD_RESPMEM_MUST_COPY;
static const enum MHD_RequestTerminationCode CMicroHTTP_completed = MHD_REQUEST_TERMINATED_COMPLETED_OK;
static const enum MHD_ConnectionNotificationCode CMicroHTTP_started = MHD_CONNECTION_NOTIFY_STARTED;
