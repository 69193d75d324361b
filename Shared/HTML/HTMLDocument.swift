/// A page as browsers would build it, in plain values: parsed from hostile bytes, searched with CSS selectors.
///
/// Nothing in it runs: scripts and styles are text, links are strings. It is immutable and may cross threads.
package struct HTMLDocument: Sendable {
  let tree: Tree
  /// How the bytes were read as text, and what the page said about it.
  package let charset: CharsetReport
  /// What links are relative to: `<base href>` resolved against the page's own address, or that address.
  package let baseURL: String?

  /// Reads a page's bytes, whatever they are.
  ///
  /// - Parameters:
  ///   - contentCharset: the `charset` of the HTTP `Content-Type`.
  ///   - hint: the encoding to expect when neither transport nor page names one.
  ///   - url: the page's address after redirects, for links.
  package static func parse(
    _ bytes: [UInt8], contentCharset: String? = nil, hint: TextEncoding? = nil, url: String? = nil,
    limits: Limits = .page
  ) throws(HTMLError) -> HTMLDocument {
    guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
    let text = try Charset.decode(bytes, declared: contentCharset, hint: hint)
    return try HTMLDocument(text, url: url, limits: limits)
  }

  /// Reads text that is already decoded.
  package static func parse(
    _ text: String, url: String? = nil, limits: Limits = .page
  ) throws(HTMLError) -> HTMLDocument {
    let bytes = Array(text.utf8)
    guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
    return try HTMLDocument(
      DecodedText(bytes: bytes, report: CharsetReport(encoding: .utf8, source: .given)), url: url, limits: limits)
  }

  private init(_ text: DecodedText, url: String?, limits: Limits) throws(HTMLError) {
    // Decoding can lengthen a text (three bytes for one of a single-byte encoding): the limit holds for both.
    guard text.bytes.count <= limits.decodedBytes else { throw .tooLarge(limit: limits.decodedBytes) }
    tree = try Tree.parse(text.bytes, limits: limits)
    charset = text.report
    let base = HTMLNode(tree: tree, index: 0).first("base[href]")?["href"]?.trimmed
    baseURL = base.flatMap { base in url.map { URLReference.resolve(base, against: $0) ?? $0 } ?? base } ?? url
  }

  /// The document itself, above `<html>`.
  package var root: HTMLNode { HTMLNode(tree: tree, index: 0) }

  /// Everything that matches, in the order of the page.
  package func select(_ selector: Selector) -> [HTMLNode] { root.select(selector) }

  /// Everything that matches, with the work taken from a budget that several searches share.
  package func select(_ selector: Selector, within budget: StepBudget) throws(HTMLError) -> [HTMLNode] {
    try root.select(selector, within: budget)
  }

  /// The first match in the order of the page.
  package func first(_ selector: Selector) -> HTMLNode? { root.first(selector) }

  /// The text of `<title>`.
  package var title: String? { first("title")?.text }

  /// Elements, texts and comments.
  package var nodeCount: Int { tree.nodes.count }

  /// Nil if no element has such an attribute.
  package func attributeName(_ name: String) -> AttributeName? {
    (tree.nameIDs[name] ?? tree.nameID(lowercasing: name)).map(AttributeName.init)
  }

  /// An address in the page made absolute, or nil if it is not an http or https one.
  package func link(_ reference: String) -> String? {
    let reference = reference.trimmed
    guard let absolute = baseURL.map({ URLReference.resolve(reference, against: $0) }) ?? reference else { return nil }
    let scheme = absolute.prefix { $0 != ":" }.lowercased()
    return scheme == "http" || scheme == "https" ? absolute : nil
  }

  package struct Limits: Sendable {
    /// Of the page as it came. 8 MiB is what a fetch may bring.
    package var bytes = 8 << 20
    /// Of the page in UTF-8, where a letter of a single-byte encoding may take three bytes.
    package var decodedBytes = 12 << 20
    /// Elements inside each other. Browsers stop at 512; hand-written pages with unclosed tags come close.
    package var depth = 1_024
    /// On one tag. Real ones have up to a few dozen.
    package var attributes = 256
    /// Elements, texts and comments. A page of 8 MiB with a tag every 20 bytes has 800,000.
    package var nodes = 1_000_000
    /// What the parser may hold. A page of 8 MiB of table cells takes 80 MiB; our own tree comes to half of that.
    package var parserMemory = 128 << 20
    /// The parser's work, in units of about 0.1 ns. A real page of 750 KB takes 40 million.
    package var parserWork: UInt64 = 8_000_000_000

    package init() {}
    package static let page = Limits()
  }
}

/// Why a page could not be read.
package enum HTMLError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLarge(limit: Int)
  case tooDeep(limit: Int)
  case tooManyNodes(limit: Int)
  case tooManyAttributes(limit: Int)
  case tooMuchMemory(limit: Int)
  case tooMuchWork
  /// The markup drives the parser into a state that it does not know.
  case unparsable
  /// The page declares an encoding that is only ever used to smuggle markup.
  case refusedEncoding(String)
  /// The system has no converter for the encoding.
  case missingConverter(TextEncoding)
  /// A search took more than the steps it was given.
  case searchTooLong(limit: Int)

  package var description: String {
    switch self {
    case .tooLarge(let limit): "the page has more than \(limit) bytes"
    case .tooDeep(let limit): "the page has more than \(limit) elements inside each other"
    case .tooManyNodes(let limit): "the page has more than \(limit) elements, texts and comments"
    case .tooManyAttributes(let limit): "a tag has more than \(limit) attributes"
    case .tooMuchMemory(let limit): "parsing the page takes more than \(limit) bytes"
    case .tooMuchWork: "the page's markup is built to take long to parse"
    case .unparsable: "the page's markup confuses the parser"
    case .refusedEncoding(let label): "the page says it is encoded as \(label), which browsers refuse"
    case .missingConverter(let encoding):
      "this system cannot read \(encoding.name); install the gconv modules of its C library"
    case .searchTooLong(let limit): "searching the page took more than \(limit) steps"
    }
  }
}
