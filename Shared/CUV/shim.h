#pragma once
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>

/// A TCP socket that is bound but does not listen yet, or -errno. libuv 1.44 has no flag for SO_REUSEPORT.
static inline int cuv_bound_tcp_socket(const struct sockaddr *address, socklen_t size, int reuse_port) {
  int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -errno;
  int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address->sa_family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if ((reuse_port && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0) || bind(fd, address, size) != 0) {
    int error = -errno;
    close(fd);
    return error;
  }
  return fd;
}

/// How long sent bytes may stay unacknowledged before the kernel gives the connection up.
static inline int cuv_set_user_timeout(int fd, unsigned milliseconds) {
  return setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds) == 0 ? 0 : -errno;
}

/// The user on the other end of a unix socket, or -errno.
static inline long cuv_peer_user(int fd) {
  struct { int pid; unsigned user; unsigned group; } credentials;  // struct ucred hides behind _GNU_SOURCE
  socklen_t size = sizeof credentials;
  return getsockopt(fd, SOL_SOCKET, 17 /* SO_PEERCRED */, &credentials, &size) == 0 ? (long)credentials.user : -errno;
}

/// Whether somebody listens on the unix socket at `path`.
static inline int cuv_someone_listens(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t i = 0;
  for (; path[i] && i < sizeof address.sun_path - 1; i++) address.sun_path[i] = path[i];
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return 0;
  int listens = connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
  close(fd);
  return listens;
}

/// Has the kernel send `signal` to this process when the one that started it ends, however it ends.
static inline int cuv_end_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, signal) == 0 ? 0 : -errno; }
