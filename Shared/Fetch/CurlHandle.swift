import CCurl
import Clocks
import EventLoops
import Glibc

/// One of libcurl's easy handles, used for one hop after another: sets it up, runs it, and tells how it ended.
final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  private let loop: CurlLoop
  private let addressGuard: AddressGuard
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var headerLines: [String] = []
  private var addressList: UnsafeMutablePointer<curl_slist>?
  /// How old servers of streams begin their answers.
  private let statusAliases = curl_slist_append(nil, "ICY 200 OK")
  private var addresses: [IPAddress] = []

  private let collector: AnswerCollector
  private var answer: OneShot<Result<HopAnswer, FetchError>>?
  private var valve: FetchValve?

  init(loop: CurlLoop, addressGuard: AddressGuard, authorities: String?) {
    self.loop = loop
    self.addressGuard = addressGuard
    easy = curl_easy_init()
    collector = AnswerCollector(easy)
    setUp()
    if let authorities {
      ccurl_set_text(easy, CURLOPT_CAINFO, authorities)
      // Those of the directory that libcurl was built with would be trusted besides.
      ccurl_set_text(easy, CURLOPT_CAPATH, nil)
    }
  }

  isolated deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    curl_slist_free_all(addressList)
    curl_slist_free_all(statusAliases)
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
    // A page of 60 KB takes one read instead of four.
    ccurl_set_number(easy, CURLOPT_BUFFERSIZE, 64 << 10)
    ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    ccurl_set_number(easy, CURLOPT_FOLLOWLOCATION, 0)
    ccurl_set_number(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    ccurl_set_number(easy, CURLOPT_PATH_AS_IS, 1)
    ccurl_set_number(easy, CURLOPT_HTTP09_ALLOWED, 0)
    // Never HTTP/2 without TLS: libcurl 7.88 breaks when it reuses such a connection.
    ccurl_set_number(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // An empty proxy also overrules the environment's.
    ccurl_set_text(easy, CURLOPT_PROXY, "")
    ccurl_set_number(easy, CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    ccurl_set_list(easy, CURLOPT_HTTP200ALIASES, statusAliases)
    ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate, br")
    let collector = Unmanaged.passUnretained(collector).toOpaque()
    ccurl_on_body(
      easy,
      { bytes, size, count, context in
        AnswerCollector.of(context).receivedBody(octets(bytes, size * count))
      }, collector)
    ccurl_on_header(
      easy,
      { bytes, size, count, context in
        AnswerCollector.of(context).receivedHeader(octets(bytes, size * count))
      }, collector)
    ccurl_on_progress(
      easy, { context, _, downloaded, _, _ in AnswerCollector.of(context).progressed(downloaded) }, collector)
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
    addresses = hop.addresses
    collector.begin(hop.limits, hop.body, hop.valve)
    valve = hop.valve
    errorText[0] = 0
    ccurl_set_text(easy, CURLOPT_URL, hop.url.description)
    // To wait for what the first connection turns out to speak is worth it where that can be HTTP/2. Without TLS nothing
    // is known before the first answer, and a page that does not come would hold up all others of its host.
    ccurl_set_number(easy, CURLOPT_PIPEWAIT, hop.url.scheme == .https ? 1 : 0)
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
    guard lines != headerLines else { return }
    headerLines = lines
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
    valve?.resume = { [unowned self] in resume() }
    loop.start(self)
  }

  /// Goes on after a pause.
  private func resume() {
    guard answer != nil else { return }
    let result = ccurl_resume(easy)
    guard result != CURLE_OK, answer != nil else { return }
    // The piece that had waited was the last that was wanted, or one too many.
    loop.stop(self)
    finished(result)
  }

  private func letGoOfValve() {
    valve?.resume = nil
    valve = nil
  }

  /// Ends the hop now if it is not over.
  func stop(_ reason: FetchError) {
    guard let answer else { return }
    self.answer = nil
    letGoOfValve()
    loop.stop(self)
    answer.finish(.failure(reason))
  }

  func finished(_ result: CURLcode) {
    let answer = answer
    self.answer = nil
    letGoOfValve()
    let isDone = result == CURLE_OK || collector.isEnough
    answer?.finish(isDone ? .success(hopAnswer()) : .failure(collector.failure ?? error(result)))
  }

  private func hopAnswer() -> HopAnswer {
    let headerBytes = collector.headerBytes
    let (headers, body) = collector.take()
    func time(_ info: CURLINFO) -> Duration { .microseconds(ccurl_size(easy, info)) }
    return HopAnswer(
      status: ccurl_number(easy, CURLINFO_RESPONSE_CODE), headers: FetchHeaders(headers), body: body,
      isCut: collector.isEnough,
      address: address,
      majorVersion: ccurl_number(easy, CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0) ? 2 : 1,
      wireBytes: headerBytes + Int(ccurl_size(easy, CURLINFO_SIZE_DOWNLOAD_T)),
      timings: FetchResponse.Timings(
        connect: time(CURLINFO_CONNECT_TIME_T), tls: time(CURLINFO_APPCONNECT_TIME_T),
        firstByte: time(CURLINFO_STARTTRANSFER_TIME_T), total: time(CURLINFO_TOTAL_TIME_T)))
  }

  /// Where the answer came from. Only among several addresses does libcurl have to be asked.
  private var address: IPAddress? {
    addresses.count == 1
      ? addresses[0] : ccurl_text(easy, CURLINFO_PRIMARY_IP).flatMap { IPAddress(String(cString: $0)) }
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

  /// The last look at an address before the connection is made.
  private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> Int32 {
    let given = ccurl_read_address(address)
    guard given.is_known else { return ccurl_no_socket() }
    let ip = given.is_v4 ? IPAddress(v4: UInt32(truncatingIfNeeded: given.low)) : IPAddress(v6: given.high, given.low)
    if let refusal = addressGuard.refusal(of: ip, port: given.port) {
      collector.fail(.refused(refusal))
      return ccurl_no_socket()
    }
    collector.fail(nil)
    loop.opened += 1
    return ccurl_socket(address)
  }
}

/// Bytes as arrays copy them at once: from a raw buffer they take them one by one.
nonisolated private func octets(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
  UnsafeBufferPointer(start: UnsafeRawPointer(bytes)?.assumingMemoryBound(to: UInt8.self), count: count)
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
  var body: FetchRequest.BodyUse
  var valve: FetchValve?
}

/// What one host answered.
struct HopAnswer: Sendable {
  var status: Int
  var headers: FetchHeaders
  var body: [UInt8]
  var isCut: Bool
  var address: IPAddress?
  var majorVersion: Int
  var wireBytes: Int
  var timings: FetchResponse.Timings
}
