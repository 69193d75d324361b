// The limit: the same calls in plain C on libuv, with nothing but framing.
//
//   frame := length u32 (of all) · id u32 · method u16 · flags u16 · payload        request 32 bytes, reply 568
//
// The server writes the reply field by field; the client looks at the header alone, because decoding is what a limit
// leaves out. Both append to one buffer per connection and write it once per read.

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <uv.h>

#include "bench.h"
#include "cinemas.h"

enum { HEADER = 12, REQUEST = 32, REPLY = 568, BUFFER = 1 << 18 };

struct connection {
  uv_tcp_t tcp;
  char in[BUFFER], out[BUFFER];
  size_t held, queued;  // bytes in `in` and in `out`
  uint64_t sent;        // when the timed slot's request left
};

static struct bench_options options;
static struct bench_window window;
static uint64_t text;

static void fail(const char *what, int code) {
  fprintf(stderr, "%s: %s\n", what, code < 0 ? uv_strerror(code) : "unexpected");
  exit(1);
}

static char *put(char *at, const void *value, size_t size) {
  memcpy(at, value, size);
  return at + size;
}

static char *put_string(char *at, const char *string) {
  uint16_t count = (uint16_t)strlen(string);
  return put(put(at, &count, sizeof count), string, count);
}

static char *put_header(char *at, uint32_t length, uint32_t id) {
  uint16_t method = 1, flags = 0;
  return put(put(put(put(at, &length, 4), &id, 4), &method, 2), &flags, 2);
}

static void put_request(struct connection *c, uint32_t id) {
  double latitude = 37.498095, longitude = 127.027610;
  uint32_t limit = 10;
  char *at = put_header(c->out + c->queued, REQUEST, id);
  put(put(put(at, &latitude, 8), &longitude, 8), &limit, 4);
  c->queued += REQUEST;
}

static void put_reply(struct connection *c, uint32_t id) {
  uint32_t count = 3;
  char *at = put(put_header(c->out + c->queued, REPLY, id), &count, 4);
  for (int i = 0; i < 3; i++) {
    const struct cinema *cinema = &cinemas[i];
    at = put_string(put_string(put_string(put_string(at, cinema->id), cinema->name), cinema->address), cinema->website);
    at = put(put(at, &cinema->latitude, 8), &cinema->longitude, 8);
    at = put(put(at, &cinema->metres, 4), &cinema->screens, 4);
  }
  if (at != c->out + c->queued + REPLY) fail("reply length", 0);
  c->queued += REPLY;
}

static void written(uv_write_t *request, int status) {
  (void)status;
  free(request);
}

// One write for everything that one read caused; what the socket does not take is copied and left to libuv.
static void flush(struct connection *c) {
  if (!c->queued) return;
  uv_buf_t buffer = uv_buf_init(c->out, (unsigned)c->queued);
  int done = 0;
  if (uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp) == 0) done = uv_try_write((uv_stream_t *)&c->tcp, &buffer, 1);
  if (done < 0) done = 0;
  size_t left = c->queued - (size_t)done;
  c->queued = 0;
  if (!left) return;
  uv_write_t *request = malloc(sizeof *request + left);
  memcpy(request + 1, c->out + done, left);
  buffer = uv_buf_init((char *)(request + 1), (unsigned)left);
  uv_write(request, (uv_stream_t *)&c->tcp, &buffer, 1, written);
}

static void allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)suggested;
  struct connection *c = handle->data;
  *buffer = uv_buf_init(c->in + c->held, (unsigned)(BUFFER - c->held));
}

static void closed(uv_handle_t *handle) { free(handle->data); }

static void received(uv_stream_t *stream, struct connection *c, ssize_t count, void (*frame)(struct connection *, char *, uint32_t)) {
  if (count < 0) {
    uv_close((uv_handle_t *)stream, closed);
    return;
  }
  c->held += (size_t)count;
  size_t at = 0;
  while (c->held - at >= HEADER) {
    uint32_t length;
    memcpy(&length, c->in + at, 4);
    if (length < HEADER || length > BUFFER / 2) fail("frame length", 0);
    if (c->held - at < length) break;
    if (c->queued > BUFFER - REPLY) flush(c);
    frame(c, c->in + at, length);
    at += length;
  }
  memmove(c->in, c->in + at, c->held - at);
  c->held -= at;
  flush(c);
}

static void serve_frame(struct connection *c, char *frame, uint32_t length) {
  if (length != REQUEST) fail("request length", 0);
  uint32_t id;
  memcpy(&id, frame + 4, 4);
  put_reply(c, id);
}

static void server_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  (void)buffer;
  received(stream, stream->data, count, serve_frame);
}

static void accepted(uv_stream_t *listener, int status) {
  if (status < 0) return;
  struct connection *c = calloc(1, sizeof *c);
  uv_tcp_init(listener->loop, &c->tcp);
  c->tcp.data = c;
  if (uv_accept(listener, (uv_stream_t *)&c->tcp) < 0) return uv_close((uv_handle_t *)&c->tcp, closed);
  uv_tcp_nodelay(&c->tcp, 1);
  uv_read_start((uv_stream_t *)&c->tcp, allocate, server_read);
}

static int serve(void) {
  static uv_tcp_t listener;
  struct sockaddr_in address;
  uv_ip4_addr("127.0.0.1", options.port, &address);
  uv_tcp_init(uv_default_loop(), &listener);
  int code = uv_tcp_bind(&listener, (struct sockaddr *)&address, 0);
  if (code == 0) code = uv_listen((uv_stream_t *)&listener, 128, accepted);
  if (code < 0) fail("listen", code);
  int size = sizeof address;
  uv_tcp_getsockname(&listener, (struct sockaddr *)&address, &size);
  bench_listening(ntohs(address.sin_port));
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

static uint64_t text_of_reply(const char *reply) {
  uint64_t sum = 0;
  const char *at = reply + HEADER + 4;
  for (int cinema = 0; cinema < 3; cinema++, at += 24)
    for (int string = 0; string < 4; string++) {
      uint16_t count;
      memcpy(&count, at, 2);
      sum += text_of(at + 2, count);
      at += 2 + count;
    }
  return sum;
}

static void client_frame(struct connection *c, char *frame, uint32_t length) {
  if (length != REPLY) fail("reply length", 0);
  uint32_t id;
  memcpy(&id, frame + 4, 4);
  window.total++;
  if (!text) text = text_of_reply(frame);
  if (id == 0) {
    uint64_t now = bench_now();
    if (bench_sample(&window, c->sent, now)) {
      bench_print(&window, text);
      exit(0);
    }
    c->sent = now;
  }
  put_request(c, id);
}

static void client_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  (void)buffer;
  if (count < 0) fail("server left", (int)count);
  received(stream, stream->data, count, client_frame);
}

static void connected(uv_connect_t *request, int status) {
  if (status < 0) fail("connect", status);
  struct connection *c = request->handle->data;
  uv_tcp_nodelay(&c->tcp, 1);
  uv_read_start((uv_stream_t *)&c->tcp, allocate, client_read);
  c->sent = bench_now();
  for (int i = 0; i < options.outstanding; i++) put_request(c, (uint32_t)i);
  flush(c);
}

static int call(void) {
  window = bench_window_from(&options);
  struct sockaddr_in address;
  uv_ip4_addr("127.0.0.1", options.port, &address);
  for (int i = 0; i < options.connections; i++) {
    struct connection *c = calloc(1, sizeof *c);
    uv_connect_t *request = calloc(1, sizeof *request);
    uv_tcp_init(uv_default_loop(), &c->tcp);
    c->tcp.data = c;
    int code = uv_tcp_connect(request, &c->tcp, (struct sockaddr *)&address, connected);
    if (code < 0) fail("connect", code);
  }
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

int main(int argc, char **argv) {
  options = bench_parse(argc, argv);
  if (argc > 1 && !strcmp(argv[1], "server")) return serve();
  if (argc > 1 && !strcmp(argv[1], "client")) return call();
  if (argc > 1 && !strcmp(argv[1], "version")) return printf("libuv %s\n", uv_version_string()), 0;
  fprintf(stderr, "usage: rpc_uv server|client|version [--port P] …\n");
  return 2;
}
