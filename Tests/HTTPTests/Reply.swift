import Testing

/// An answer as a client reads it.
struct Reply: Equatable {
  var status: Int
  var fields: [String]
  var body: String

  subscript(name: String) -> String? {
    fields.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map { String($0.dropFirst(name.count + 2)) }
  }

  func all(_ name: String) -> [String] {
    fields.filter { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map { String($0.dropFirst(name.count + 2)) }
  }

  /// All answers in `bytes`. Those at the places in `heads` answer HEAD and have no body.
  static func all(in bytes: [UInt8], heads: Set<Int> = []) -> [Reply] {
    var replies: [Reply] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let end = rest.indices.first(where: { rest[$0...].starts(with: "\r\n\r\n".utf8) }) else {
        Issue.record("half a head: \(String(decoding: rest, as: UTF8.self))")
        return replies
      }
      var lines = String(decoding: rest[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
      let first = lines.removeFirst().split(separator: " ", maxSplits: 2)
      #expect(first[0] == "HTTP/1.1")
      var reply = Reply(status: Int(first[1]) ?? 0, fields: lines, body: "")
      rest = rest[(end + 4)...]
      let isBodiless = reply.status < 200 || [204, 304].contains(reply.status) || heads.contains(replies.count)
      let length = isBodiless ? 0 : reply["Content-Length"].flatMap { Int($0) } ?? rest.count
      reply.body = String(decoding: rest.prefix(length), as: UTF8.self)
      #expect(rest.count >= length)
      rest = rest.dropFirst(length)
      replies.append(reply)
    }
    return replies
  }
}

extension MemoryStream {
  /// The answers that the client has read, nothing of it twice.
  func takeReplies(heads: Set<Int> = []) -> [Reply] { Reply.all(in: takeSent(), heads: heads) }
}
