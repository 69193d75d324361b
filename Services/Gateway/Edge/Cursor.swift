import Contracts
import Crypto
import HTTP

/// Where a list goes on. It holds what the next page begins after, and a hash of what was asked for, so that it is not
/// taken for another list.
nonisolated package enum Cursor {
  private static let hashBytes = 6

  package static func text(after key: String, of question: String) -> String {
    Base64URL.encode(SHA256.digest(of: question).prefix(hashBytes) + Array(key.utf8))
  }

  /// - Throws: `invalid-cursor`, for one that is of another list, or none at all.
  package static func key(_ text: String, of question: String) throws -> String {
    guard let bytes = Base64URL.decode(text), bytes.count >= hashBytes,
      bytes.prefix(hashBytes).elementsEqual(SHA256.digest(of: question).prefix(hashBytes)),
      let key = String(validating: bytes.dropFirst(hashBytes), as: UTF8.self)
    else {
      throw Problem(
        .invalidCursor, "ask for the first page again, without cursor; a cursor holds only for the filters it came with"
      )
    }
    return key
  }
}

nonisolated extension QueryField where Value == String? {
  static let cursor = QueryField<String?>(
    "cursor", "`next_cursor` of the page before, with the same filters.",
    schema: .string(pattern: "^[A-Za-z0-9_-]+$", length: 8...512)
  ) { query in
    guard let text = query.string("cursor", max: 512) else { return nil }
    // Of what form it is, only whoever made it can say.
    return text
  }
}

extension Asking {
  /// What a cursor is bound to: everything that was asked for but the page.
  private var question: String {
    let parameters = asked.parameters.filter { $0.name != "cursor" && $0.name != "limit" && $0.name != "lang" }
    let sorted = parameters.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    return sorted.reduce(request.path + "\n" + (user?.text ?? "")) { $0 + "\n" + $1.name + "=" + $1.value }
  }

  func key(of cursor: String?) throws -> String? { try cursor.map { try Cursor.key($0, of: question) } }

  /// How many of a list came before. Whoever likes to makes a cursor: no number in one is taken for more than `most`.
  func offset(of cursor: String?, atMost most: Int) throws -> Int {
    min(max(try key(of: cursor).flatMap { Int($0) } ?? 0, 0), most)
  }

  func cursor(after key: String?) -> String? { key.map { Cursor.text(after: $0, of: question) } }

  /// The `Link` of RFC 8288 to the next page.
  func link(to next: String?) -> [HTTPField] {
    guard let next else { return [] }
    let others = asked.parameters.filter { $0.name != "cursor" }
    let query = (others + [("cursor", next)])
      .map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
    return [HTTPField("Link", "<\(request.path)?\(query.joined(separator: "&"))>; rel=\"next\"")]
  }
}
