/// The methods that we know. Any other is answered with 501.
nonisolated package enum HTTPMethod: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  /// Known, so that it is answered with 405 wherever it is sent: nothing here sends a request back to its sender.
  case trace = "TRACE"
  /// Known for the same reason.
  case query = "QUERY"

  /// The method that is called `bytes[range]`, exactly.
  init?(_ bytes: [UInt8], _ range: Range<Int>) {
    func isNamed(_ name: StaticString) -> Bool {
      (0..<name.utf8CodeUnitCount).allSatisfy { bytes[range.lowerBound + $0] == name.utf8Start[$0] }
    }
    switch range.count {
    case 3 where isNamed("GET"): self = .get
    case 3 where isNamed("PUT"): self = .put
    case 4 where isNamed("HEAD"): self = .head
    case 4 where isNamed("POST"): self = .post
    case 5 where isNamed("PATCH"): self = .patch
    case 5 where isNamed("TRACE"): self = .trace
    case 5 where isNamed("QUERY"): self = .query
    case 6 where isNamed("DELETE"): self = .delete
    case 7 where isNamed("OPTIONS"): self = .options
    default: return nil
    }
  }
}
