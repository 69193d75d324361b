#pragma once
#include <arpa/inet.h>
#include <curl/curl.h>
#include <locale.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Swift cannot call functions with variable arguments: one wrapper for each kind of argument.
static inline CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_size(CURL *easy, CURLoption option, int64_t value) {
  return curl_easy_setopt(easy, option, (curl_off_t)value);
}
static inline long ccurl_number(CURL *easy, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}
static inline int64_t ccurl_size(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}
static inline const char *ccurl_text(CURL *easy, CURLINFO info) {
  char *value = NULL;
  curl_easy_getinfo(easy, info, &value);
  return value;
}
static inline void *ccurl_context(CURL *easy) {
  char *value = NULL;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
  return value;
}

// What a callback returns for a piece that it does not take yet.
static inline long ccurl_pause(void) { return CURL_WRITEFUNC_PAUSE; }
// May call the callback at once, with the piece that was not taken.
static inline CURLcode ccurl_resume(CURL *easy) { return curl_easy_pause(easy, CURLPAUSE_CONT); }

static inline void ccurl_share_cookies(CURLSH *share) {
  curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

typedef size_t (*ccurl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_progress_callback)(
    void *context, curl_off_t download, curl_off_t downloaded, curl_off_t upload, curl_off_t uploaded);
typedef curl_socket_t (*ccurl_open_callback)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*ccurl_close_callback)(void *context, curl_socket_t socket);

static inline void ccurl_on_body(CURL *easy, ccurl_bytes_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}
static inline void ccurl_on_header(CURL *easy, ccurl_bytes_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}
static inline void ccurl_on_progress(CURL *easy, ccurl_progress_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}
static inline void ccurl_on_open_socket(CURL *easy, ccurl_open_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}
static inline void ccurl_on_close_socket(CURL *easy, ccurl_close_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}

static inline void ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
  curl_multi_setopt(multi, option, value);
}
static inline void ccurl_multi_on_socket(CURLM *multi, curl_socket_callback callback, void *context) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}
static inline void ccurl_multi_on_timer(CURLM *multi, curl_multi_timer_callback callback, void *context) {
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}
// The next transfer that is over, or NULL.
static inline CURL *ccurl_multi_finished(CURLM *multi, CURLcode *result) {
  int left;
  CURLMsg *message = curl_multi_info_read(multi, &left);
  while (message && message->msg != CURLMSG_DONE) message = curl_multi_info_read(multi, &left);
  if (message) *result = message->data.result;
  return message ? message->easy_handle : NULL;
}

typedef struct {
  uint64_t high, low;  // an IPv4 address is the last four bytes of `low`
  uint16_t port;
  bool is_v4, is_known;
} ccurl_address;

static inline ccurl_address ccurl_read_address(const struct curl_sockaddr *given) {
  ccurl_address address = {0};
  uint8_t bytes[16] = {0};
  if (given->family == AF_INET && given->addrlen >= sizeof(struct sockaddr_in)) {
    struct sockaddr_in v4;
    memcpy(&v4, &given->addr, sizeof v4);
    address = (ccurl_address){.low = ntohl(v4.sin_addr.s_addr), .port = ntohs(v4.sin_port), .is_v4 = true, .is_known = true};
  } else if (given->family == AF_INET6 && given->addrlen >= sizeof(struct sockaddr_in6)) {
    struct sockaddr_in6 v6;
    memcpy(&v6, &given->addr, sizeof v6);
    memcpy(bytes, &v6.sin6_addr, 16);
    for (int index = 0; index < 8; index++) {
      address.high = address.high << 8 | bytes[index];
      address.low = address.low << 8 | bytes[index + 8];
    }
    address.port = ntohs(v6.sin6_port);
    address.is_known = true;
  }
  return address;
}

static inline curl_socket_t ccurl_socket(const struct curl_sockaddr *address) {
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// CURL_SOCKET_BAD and CURL_SOCKET_TIMEOUT are the same number with two meanings.
static inline curl_socket_t ccurl_no_socket(void) { return CURL_SOCKET_BAD; }

// The address of a host whose name has letters beyond ASCII, in punycode: `http://xn--3e0b707e.example/`; NULL if it has
// none. The caller frees it with curl_free. libidn2 takes the encoding from the thread's locale, so that is changed for
// the call.
static inline char *ccurl_punycode_url(const char *host) {
  char *text = NULL;
  CURLU *url = curl_url();
  locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (url && unicode) {
    locale_t before = uselocale(unicode);
    if (curl_url_set(url, CURLUPART_SCHEME, "http", 0) == CURLUE_OK &&
        curl_url_set(url, CURLUPART_HOST, host, 0) == CURLUE_OK) {
      curl_url_get(url, CURLUPART_URL, &text, CURLU_PUNYCODE);
    }
    uselocale(before);
  }
  if (unicode) freelocale(unicode);
  curl_url_cleanup(url);
  return text;
}
