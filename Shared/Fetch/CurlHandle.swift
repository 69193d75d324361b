import CCurl
import Clocks
import EventLoops
import Glibc

/// One of libcurl's easy handles, used for one hop after another: sets it up, collects what comes, counts all of it.
final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  private let loop: CurlLoop
  private let addressGuard: AddressGuard
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var addressList: UnsafeMutablePointer<curl_slist>?
  private var posted: [UInt8] = []

  private var limits = FetchRequest.Limits()
  private var body: [UInt8] = []
  private var headers: [UInt8] = []
  private var headerBytes = 0
  private var headerLines = 0
  /// Why a callback of ours has stopped the transfer: what libcurl then says is only that it was stopped.
  private var failure: FetchError?
  private var answer: OneShot<Result<HopAnswer, FetchError>>?

  init(loop: CurlLoop, addressGuard: AddressGuard) {
    self.loop = loop
    self.addressGuard = addressGuard
    easy = curl_easy_init()
    setUp()
  }

  isolated deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    curl_slist_free_all(addressList)
    errorText.deallocate()
  }

  nonisolated static func of(_ context: UnsafeMutableRawPointer?) -> CurlHandle {
    Unmanaged<CurlHandle>.fromOpaque(context!).takeUnretainedValue()
  }

  /// What is the same for every hop.
  private func setUp() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(easy, CURLOPT_PRIVATE, context)
    ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    ccurl_set_number(easy, CURLOPT_NOSIGNAL, 1)
    ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    ccurl_set_number(easy, CURLOPT_FOLLOWLOCATION, 0)
    ccurl_set_number(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    ccurl_set_number(easy, CURLOPT_PATH_AS_IS, 1)
    ccurl_set_number(easy, CURLOPT_HTTP09_ALLOWED, 0)
    // Never HTTP/2 without TLS: libcurl 7.88 breaks when it reuses such a connection.
    ccurl_set_number(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    ccurl_set_number(easy, CURLOPT_PIPEWAIT, 1)
    // An empty proxy also overrules the environment's.
    ccurl_set_text(easy, CURLOPT_PROXY, "")
    ccurl_set_number(easy, CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate, br")
    ccurl_on_body(
      easy,
      { bytes, size, count, context in
        MainActor.assumeIsolated { CurlHandle.of(context).receivedBody(bytes, size * count) }
      }, context)
    ccurl_on_header(
      easy,
      { bytes, size, count, context in
        MainActor.assumeIsolated { CurlHandle.of(context).receivedHeader(bytes, size * count) }
      }, context)
    ccurl_on_progress(
      easy,
      { context, _, downloaded, _, _ in
        MainActor.assumeIsolated { CurlHandle.of(context).progressed(Int64(downloaded)) }
      }, context)
    ccurl_on_open_socket(
      easy,
      { context, _, address in
        MainActor.assumeIsolated { CurlHandle.of(context).open(address) }
      }, context)
    // A connection outlives the handle that opened it, so its end is told to the loop.
    ccurl_on_close_socket(
      easy,
      { context, socket in
        MainActor.assumeIsolated { Unmanaged<CurlLoop>.fromOpaque(context!).takeUnretainedValue().forget(socket) }
        return close(socket)
      }, Unmanaged.passUnretained(loop).toOpaque())
  }

  // MARK: One hop

  /// Sets the handle up for a hop to addresses that have been checked.
  func prepare(_ hop: Hop) {
    limits = hop.limits
    body = []
    headers = []
    (headerBytes, headerLines) = (0, 0)
    failure = nil
    errorText[0] = 0
    ccurl_set_text(easy, CURLOPT_URL, hop.url.description)
    setMethod(hop.method)
    setHeaders(hop.headers)
    setAddresses(hop)
    ccurl_set_pointer(easy, CURLOPT_SHARE, hop.cookies?.share.map { UnsafeMutableRawPointer($0) })
    // A file without a name is how libcurl is told to take part in cookies at all.
    ccurl_set_text(easy, CURLOPT_COOKIEFILE, hop.cookies == nil ? nil : "")
    ccurl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(clamping: hop.limits.connect.wholeMilliseconds))
    ccurl_set_number(easy, CURLOPT_LOW_SPEED_LIMIT, hop.limits.bytesPerSecondMin)
    ccurl_set_number(easy, CURLOPT_LOW_SPEED_TIME, Int(clamping: hop.limits.slowness.components.seconds))
  }

  private func setMethod(_ method: FetchRequest.Method) {
    switch method {
    case .get:
      ccurl_set_number(easy, CURLOPT_HTTPGET, 1)
    case .head:
      ccurl_set_number(easy, CURLOPT_HTTPGET, 1)
      ccurl_set_number(easy, CURLOPT_NOBODY, 1)
    case .post(let bytes, _):
      ccurl_set_number(easy, CURLOPT_NOBODY, 0)
      ccurl_set_number(easy, CURLOPT_POST, 1)
      ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(bytes.count))
      _ = bytes.withUnsafeBytes {
        ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
      }
    }
  }

  private func setHeaders(_ lines: [String]) {
    let before = headerList
    headerList = nil
    for line in lines { headerList = curl_slist_append(headerList, line) }
    ccurl_set_list(easy, CURLOPT_HTTPHEADER, headerList)
    curl_slist_free_all(before)
  }

  /// Tells libcurl where the host is, so that it connects to what has been checked and looks nothing up itself.
  private func setAddresses(_ hop: Hop) {
    let before = addressList
    addressList = nil
    if case .name(let name) = hop.url.host {
      let addresses = hop.addresses.map { $0.isV4 ? "\($0)" : "[\($0)]" }.joined(separator: ",")
      addressList = curl_slist_append(nil, "+\(name):\(hop.url.port):\(addresses)")
    }
    ccurl_set_list(easy, CURLOPT_RESOLVE, addressList)
    curl_slist_free_all(before)
  }

  /// Runs the hop to its end, whatever that is.
  func run(answer: OneShot<Result<HopAnswer, FetchError>>) {
    self.answer = answer
    loop.start(self)
  }

  /// Ends the hop now if it is not over.
  func stop(_ reason: FetchError) {
    guard let answer else { return }
    self.answer = nil
    loop.stop(self)
    answer.finish(.failure(reason))
  }

  func finished(_ result: CURLcode) {
    let answer = answer
    self.answer = nil
    answer?.finish(result == CURLE_OK ? .success(hopAnswer()) : .failure(failure ?? error(result)))
  }

  private func hopAnswer() -> HopAnswer {
    defer { (headers, body) = ([], []) }
    func time(_ info: CURLINFO) -> Duration { .microseconds(ccurl_size(easy, info)) }
    return HopAnswer(
      status: ccurl_number(easy, CURLINFO_RESPONSE_CODE), headers: FetchHeaders(headers), body: body,
      address: ccurl_text(easy, CURLINFO_PRIMARY_IP).flatMap { IPAddress(String(cString: $0)) },
      majorVersion: ccurl_number(easy, CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0) ? 2 : 1,
      wireBytes: headerBytes + Int(ccurl_size(easy, CURLINFO_SIZE_DOWNLOAD_T)),
      timings: FetchResponse.Timings(
        connect: time(CURLINFO_CONNECT_TIME_T), tls: time(CURLINFO_APPCONNECT_TIME_T),
        firstByte: time(CURLINFO_STARTTRANSFER_TIME_T), total: time(CURLINFO_TOTAL_TIME_T)))
  }

  private func error(_ result: CURLcode) -> FetchError {
    let told = String(cString: errorText)
    let reason = told.isEmpty ? String(cString: curl_easy_strerror(result)) : told
    return switch result {
    case CURLE_COULDNT_CONNECT: .cannotConnect(reason)
    case CURLE_COULDNT_RESOLVE_HOST: .unknownHost(host, reason: reason)
    case CURLE_OPERATION_TIMEDOUT:
      ccurl_size(easy, CURLINFO_CONNECT_TIME_T) == 0 ? .cannotConnect(reason) : .tooSlow
    case CURLE_PARTIAL_FILE: .truncated
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND: .connectionLost(reason)
    case CURLE_BAD_CONTENT_ENCODING: .undecodable(reason)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
      .insecure(reason)
    case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_UNSUPPORTED_PROTOCOL,
      CURLE_TOO_MANY_REDIRECTS:
      .notHTTP(reason)
    default: .failed("libcurl: \(reason)")
    }
  }

  private var host: String {
    ccurl_text(easy, CURLINFO_EFFECTIVE_URL).map { String(cString: $0) } ?? ""
  }

  // MARK: Callbacks

  private func receivedBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    guard body.count + count <= limits.bodyBytes else { return refuse(.bodyTooLarge(limit: limits.bodyBytes)) }
    if body.isEmpty {
      // The answer's own word for its length saves copies, but is not to be believed beyond the next megabyte.
      let told = Int(ccurl_size(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
      body.reserveCapacity(min(max(told, count), limits.bodyBytes, 1 << 20))
    }
    body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return count
  }

  /// Called with one line after another: of a 100 before the answer, of the answer, of what follows its body.
  private func receivedHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    headerBytes += count
    headerLines += 1
    guard headerBytes <= limits.headerBytes, headerLines <= limits.headerLines else {
      return refuse(.headersTooLarge(limit: limits.headerBytes))
    }
    let line = UnsafeRawBufferPointer(start: bytes, count: count)
    if line.starts(with: "HTTP/".utf8) {
      headers.removeAll(keepingCapacity: true)
    } else {
      headers.append(contentsOf: line)
    }
    return count
  }

  /// Also sees bytes that come to nothing, such as the endless header of a gzip stream.
  private func progressed(_ downloaded: Int64) -> Int32 {
    guard downloaded + Int64(headerBytes) > Int64(limits.wireBytes) else { return 0 }
    return Int32(refuse(.wireTooLarge(limit: limits.wireBytes)) + 1)
  }

  /// Remembers why, and returns what makes libcurl stop.
  private func refuse(_ error: FetchError) -> Int {
    failure = failure ?? error
    return 0
  }

  /// The last look at an address before the connection is made.
  private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> Int32 {
    let given = ccurl_read_address(address)
    guard given.is_known else { return ccurl_no_socket() }
    let ip = given.is_v4 ? IPAddress(v4: UInt32(truncatingIfNeeded: given.low)) : IPAddress(v6: given.high, given.low)
    if let refusal = addressGuard.refusal(of: ip, port: given.port) {
      failure = .refused(refusal)
      return ccurl_no_socket()
    }
    failure = nil
    loop.opened += 1
    return ccurl_socket(address)
  }
}

/// One request to one host, ready to be sent.
struct Hop {
  var url: FetchURL
  var method: FetchRequest.Method
  var headers: [String]
  /// Where the host is, all of it allowed.
  var addresses: [IPAddress]
  var cookies: CookieJar?
  var limits: FetchRequest.Limits
}

/// What one host answered.
struct HopAnswer: Sendable {
  var status: Int
  var headers: FetchHeaders
  var body: [UInt8]
  var address: IPAddress?
  var majorVersion: Int
  var wireBytes: Int
  var timings: FetchResponse.Timings
}
