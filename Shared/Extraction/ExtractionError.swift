package import HTML

/// Why a page could not be read at all. A page that can be read and lists nothing is no error.
package enum ExtractionError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLarge(limit: Int)
  /// Readers count their steps; this page is built to take many.
  case tooMuchWork(limit: Int)
  /// Elements or values inside each other beyond what documents have.
  case tooDeep(limit: Int)
  case page(HTMLError)

  package var description: String {
    switch self {
    case .tooLarge(let limit): "the page has more than \(limit) bytes; fetch a shorter period, or a single day"
    case .tooMuchWork(let limit):
      "reading the page took more than \(limit) steps; give its address of a single day, or write a rule"
    case .tooDeep(let limit): "the document has more than \(limit) levels; check that the address is right"
    case .page(let error): error.description
    }
  }
}

/// What one page may cost.
package struct ExtractionLimits: Sendable {
  /// Of the page as it came: real ones have up to 3 MB, and a festival's feed 2 MB.
  package var bytes = 10 << 20
  /// Steps of all readers together: a real page of 750 KB takes 3 million; this many take about four seconds.
  package var steps = 60_000_000
  /// A festival of ten days has under a thousand; a chain's feed of a month some ten thousand.
  package var candidates = 20_000
  /// Somebody reads them.
  package var unread = 500
  /// Values inside each other in JSON, elements in XML: documents have a dozen.
  package var depth = 256
  /// Elements inside each other in HTML: browsers stop at 512, mistakes go further, and ten thousand cost nothing.
  package var elementDepth = 10_240
  /// Values of one JSON document: 10 MB of real JSON has 400,000.
  package var values = 1_000_000

  package init() {}
  package static let page = ExtractionLimits()
}

/// Steps that all readers of one page share.
final class WorkBudget {
  let limit: Int
  private(set) var spent = 0

  init(_ limit: Int) { self.limit = limit }

  func spend(_ steps: Int = 1) throws(ExtractionError) {
    spent += steps
    guard spent <= limit else { throw .tooMuchWork(limit: limit) }
  }
}
