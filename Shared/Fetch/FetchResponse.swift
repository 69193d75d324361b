package import EventLoops

/// A page that came.
nonisolated package struct FetchResponse: Sendable {
  /// Where it came from in the end.
  package var url: FetchURL
  package var status: Int
  package var headers: FetchHeaders
  /// Decompressed. Bytes still, as only HTML knows how to find out the encoding.
  package var body: [UInt8]
  /// More would have come, and was not wanted.
  package var isCut: Bool
  /// Where the redirects led, and with which status each did.
  package var hops: [Hop]
  package var address: IPAddress?
  /// 1, or 2 for HTTP/2.
  package var majorVersion: Int
  /// What came over the wire, compressed, in all hops.
  package var wireBytes: Int
  package var timings: Timings

  package struct Hop: Hashable, Sendable {
    package var url: FetchURL
    package var status: Int
  }

  /// From the beginning of the last hop; zero for what was not needed.
  package struct Timings: Hashable, Sendable {
    package var connect = Duration.zero
    package var tls = Duration.zero
    package var firstByte = Duration.zero
    package var total = Duration.zero
  }

  /// What is asked for is what we have: the answer to a request with validators.
  package var isNotModified: Bool { status == 304 }

  package var isSuccess: Bool { (200...299).contains(status) }

  /// `text/html` of `text/html; charset=euc-kr`, in lower case.
  package var mediaType: String? { headers.mediaType }

  /// For the next request for the same page; nil if the site gives none.
  package var validators: FetchRequest.Validators? {
    let validators = FetchRequest.Validators(etag: headers["etag"], lastModified: headers["last-modified"])
    return validators.isEmpty ? nil : validators
  }
}

/// An answer's headers, as they came; names are compared without regard to case.
nonisolated package struct FetchHeaders: Sendable {
  /// Lines of the last status, separated by CR LF as on the wire.
  private let lines: [UInt8]

  package init(_ lines: [UInt8]) { self.lines = lines }

  /// The first of that name, without blanks around it.
  package subscript(_ name: String) -> String? { values(name, limit: 1).first }

  /// `text/html` of `text/html; charset=euc-kr`, in lower case.
  package var mediaType: String? {
    guard let type = self["content-type"] else { return nil }
    let essence = String(type.prefix { $0 != ";" && $0 != "," && $0 != " " && $0 != "\t" }).lowercased()
    return essence.isEmpty ? nil : essence
  }

  /// All of that name, in their order.
  package func all(_ name: String) -> [String] { values(name, limit: .max) }

  package var fields: [(name: String, value: String)] {
    var fields: [(String, String)] = []
    forEach { name, value in
      fields.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
      return true
    }
    return fields
  }

  private func values(_ wanted: String, limit: Int) -> [String] {
    var found: [String] = []
    let wanted = wanted.utf8
    forEach { name, value in
      if name.count == wanted.count, zip(name, wanted).allSatisfy({ lowercased($0) == lowercased($1) }) {
        found.append(String(decoding: value, as: UTF8.self))
      }
      return found.count < limit
    }
    return found
  }

  private func forEach(_ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool) {
    var start = 0
    while start < lines.count {
      let end = lines[start...].firstIndex(of: 0x0A) ?? lines.count
      defer { start = end + 1 }
      guard let colon = lines[start..<end].firstIndex(of: UInt8(ascii: ":")), colon > start else { continue }
      let value = lines[(colon + 1)..<end]
      let first = value.firstIndex { !isBlank($0) } ?? value.endIndex
      let last = value.lastIndex { !isBlank($0) } ?? first - 1
      guard body(lines[start..<colon], value[first..<max(first, last + 1)]) else { return }
    }
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  private func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
