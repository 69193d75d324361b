import HTML
import JSON

/// How a page is built, whatever it says: which kinds of elements or members there are. A redesign changes it, a new
/// programme does not.
nonisolated package struct PageLayout: Hashable, Sendable {
  /// `a.btnDay` or `.Showseqlist[].MovieNm`, and how often.
  package private(set) var counts: [String: Int] = [:]

  private enum Limits {
    /// Kinds told apart; a page with more makes them up.
    static let kinds = 2_000
    static let depth = 12
    static let jsonBytes = 4 << 20
  }

  package init(_ page: Page) {
    switch page.body.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard let value = try? JSONValue(parsing: page.body, limits: JSONLimits(bytes: Limits.jsonBytes)) else { return }
      count(value, at: "", depth: 0)
    case UInt8(ascii: "<"):
      guard let document = try? page.document() else { return }
      for element in document.select("*") { add(Self.kind(of: element)) }
    default: return
    }
  }

  static func kind(of element: HTMLNode) -> String {
    element.name + element.classes.prefix(3).map { ".\($0)" }.joined()
  }

  private mutating func add(_ kind: String) {
    guard counts[kind] != nil || counts.count < Limits.kinds else { return }
    counts[kind, default: 0] += 1
  }

  private mutating func count(_ value: JSONValue, at path: String, depth: Int) {
    guard depth < Limits.depth else { return }
    switch value {
    case .object(let members):
      for (name, member) in members { count(member, at: "\(path).\(name)", depth: depth + 1) }
    case .array(let elements): for element in elements { count(element, at: "\(path)[]", depth: depth + 1) }
    case .null, .bool, .int, .double, .string: add(path)
    }
  }

  /// What was there and is gone, or came: the most frequent first, in sentences.
  package func differences(from old: PageLayout) -> [String] {
    let gone = old.counts.filter { $0.value > 1 && counts[$0.key] == nil }
    let come = counts.filter { $0.value > 1 && old.counts[$0.key] == nil }
    func told(_ kinds: [String: Int], _ word: String) -> [String] {
      kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(4).map { "\($0.key) \(word) (\($0.value))" }
    }
    return told(gone, "is gone") + told(come, "is new")
  }
}
