// An HTTP server that answers every request with the same bytes, as fast as libmicrohttpd can: the floor of the group
// `server`, which compiles it.
//
// server HEAD BODY: HEAD is a file with the lines of a head, BODY one with the body. Prints its port, and serves until
// it is killed.

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *contents(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) exit(66);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = calloc(*size + 1, 1);
    if (fread(bytes, 1, *size, file) != *size) exit(66);
    fclose(file);
    return bytes;
}

static enum MHD_Result answer(
    void *response, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
    const char *body, size_t *size, void **request
) {
    // The library closes a connection that is answered when only the head has been read.
    if (!*request) {
        *request = response;
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_OK, response);
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    size_t size;
    char *head = contents(arguments[1], &size);
    char *body = contents(arguments[2], &size);
    struct MHD_Response *response = MHD_create_response_from_buffer(size, body, MHD_RESPMEM_PERSISTENT);
    for (char *line = strtok(head, "\n"); line; line = strtok(NULL, "\n")) {
        char *value = strstr(line, ": ");
        if (!value) return 65;
        *value = 0;
        if (MHD_add_response_header(response, line, value + 2) != MHD_YES) return 65;
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_TURBO, 0, NULL, NULL, answer, response,
        MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_THREAD_POOL_SIZE, (unsigned)(processors > 1 ? processors : 1),
        MHD_OPTION_END);
    if (!daemon) return 71;
    printf("%u\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    for (;;) pause();
}
