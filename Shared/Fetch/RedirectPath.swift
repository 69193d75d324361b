/// Where one fetch has got to: the address that is next, what is sent there, and by which rules it may go on.
struct RedirectPath {
  let request: FetchRequest
  private(set) var url: FetchURL
  private(set) var method: FetchRequest.Method
  private(set) var hops: [FetchResponse.Hop] = []

  init(_ request: FetchRequest) {
    self.request = request
    url = request.url
    method = request.method
  }

  /// Where an answer leads, or nil if it is what was wanted.
  func redirect(_ answer: HopAnswer) -> String? {
    request.followsRedirects ? answer.headers.redirect(status: answer.status) : nil
  }

  mutating func follow(_ location: String, status: Int) throws(FetchError) {
    guard hops.count < request.limits.redirects else { throw .tooManyRedirects(limit: request.limits.redirects) }
    let target = try url.led(to: location, allowsDowngrade: request.allowsDowngrade)
    hops.append(FetchResponse.Hop(url: url, status: status))
    url = target
    // 303 always means “get it there”; of a post, so do 301 and 302, as every browser reads them.
    if case .post = method, status <= 303 { method = .get }
  }

  /// What is sent besides what libcurl adds. Each line has been checked to be one.
  func headerLines(_ own: OwnHeaders) -> [String] {
    if request.headers.isEmpty, request.validators == nil, case .get = method { return own.plain }
    var lines = own.lines
    let isSameHost = url.origin == request.url.origin
    for (name, value) in request.headers where isSameHost || !Self.secrets.contains(name.lowercased()) {
      guard isToken(name), isValue(value) else { continue }
      lines.append("\(name): \(value)")
    }
    if !request.headers.contains(where: { $0.name.lowercased() == "accept" }) {
      lines.append(OwnHeaders.accept)
    }
    if case .post(_, let type) = method, isValue(type) { lines.append("Content-Type: \(type)") }
    if let validators = request.validators, hops.isEmpty {
      if let etag = validators.etag, isValue(etag) { lines.append("If-None-Match: \(etag)") }
      if let date = validators.lastModified, isValue(date) { lines.append("If-Modified-Since: \(date)") }
    }
    return lines
  }

  private static let secrets: Set = ["authorization", "cookie", "proxy-authorization", "x-api-key"]

  private func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: "_")
      }
  }

  private func isValue(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}

extension FetchURL {
  /// Where a redirect from here leads, if that may be followed.
  nonisolated fileprivate func led(to location: String, allowsDowngrade: Bool) throws(FetchError) -> FetchURL {
    let target: FetchURL
    do throws(FetchURLError) { target = try resolving(location) } catch {
      throw .redirect(to: String(location.prefix(200)), error)
    }
    guard scheme == .http || target.scheme == .https || allowsDowngrade else { throw .downgrade(to: target) }
    return target
  }
}

extension FetchHeaders {
  /// Where an answer of this status leads, as it stands there; nil if nowhere.
  nonisolated fileprivate func redirect(status: Int) -> String? {
    [301, 302, 303, 307, 308].contains(status) ? self["location"] : nil
  }
}

extension FetchResponse {
  /// Where it leads, for who follows by himself; nil if it is what was wanted.
  nonisolated package func redirect() throws(FetchError) -> FetchURL? {
    guard let location = headers.redirect(status: status) else { return nil }
    return try url.led(to: location, allowsDowngrade: false)
  }
}

/// The header lines that every request of a fetcher has.
struct OwnHeaders {
  /// libcurl would wait a second for a server's leave to send a body; nobody gives it.
  let lines: [String]
  /// Those of a request that has no headers of its own.
  let plain: [String]

  static let accept = "Accept: text/html,application/xhtml+xml,application/json;q=0.9,text/calendar;q=0.9,*/*;q=0.5"

  init(userAgent: String) {
    lines = ["User-Agent: \(userAgent)", "Expect:"]
    plain = lines + [Self.accept]
  }
}
