import JSON

/// Takes a query's parameters by name and type, and remembers what is wrong instead of stopping at the first.
///
///     var query = request.query
///     let limit = query.int("limit", in: 1...100) ?? 20
///     let topics = query.list("topics")
///     try query.finish()         // one problem that names everything
nonisolated package struct QueryReader {
  /// More than any form of ours has. A longer query is refused, not read in part.
  static let parametersMax = 64

  /// In their order, decoded.
  package let parameters: [(name: String, value: String)]
  private var errors: [Problem.Detail] = []

  /// Names that are not `known` are noted as wrong; nil if somebody has looked at them before.
  package init(_ parameters: [(name: String, value: String)], known: [QueryParameter]? = nil) {
    self.parameters = parameters
    if let known { errors = Self.unknown(parameters.map(\.name), known) }
  }

  /// The names, in their order, each as often as it occurs.
  package var names: [String] { parameters.map(\.name) }

  /// All values of a parameter.
  package func all(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }

  /// The value of a parameter that may occur once.
  package mutating func string(_ name: String, max: Int = 256) -> String? {
    let values = all(name)
    guard values.count <= 1 else { return refuse(name, "must be given once") }
    guard let value = values.first else { return nil }
    guard value.utf8.count <= max else { return refuse(name, "must have at most \(max) bytes") }
    return value
  }

  package mutating func int(_ name: String, in range: ClosedRange<Int>) -> Int? {
    guard let text = string(name) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      return refuse(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)", text)
    }
    return value
  }

  package mutating func double(_ name: String, in range: ClosedRange<Double>) -> Double? {
    guard let text = string(name) else { return nil }
    // `Double` also reads "nan", "inf" and hexadecimal.
    guard text.utf8.allSatisfy({ ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }), let value = Double(text),
      range.contains(value)
    else { return refuse(name, "must be a number from \(range.lowerBound) to \(range.upperBound)", text) }
    return value
  }

  package mutating func bool(_ name: String) -> Bool? {
    switch string(name) {
    case nil: nil
    case "1", "true", "": true
    case "0", "false": false
    case let text?: refuse(name, "must be true or false", text)
    }
  }

  /// A parameter that may be repeated or hold several values with commas between them. Empty if absent.
  package mutating func list(_ name: String, max: Int = 32) -> [String] {
    let values = all(name).flatMap { $0.split(separator: ",").map(String.init) }
    guard values.count <= max else {
      refuse(name, "must have at most \(max) values") as Never?
      return []
    }
    return values
  }

  /// One of a closed list of words.
  package mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, of type: Choice.Type = Choice.self
  ) -> Choice? where Choice.RawValue == String {
    guard let text = string(name) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    errors.append(
      Problem.Detail(
        parameter: name, detail: "must be one of \(words.joined(separator: ", "))", value: text,
        didYouMean: suggestion(for: text, among: words)))
    return nil
  }

  /// Notes what only the caller knows to be wrong, and returns `nil` for the value.
  @discardableResult
  package mutating func refuse<Value>(_ name: String, _ detail: String, _ value: String? = nil) -> Value? {
    errors.append(Problem.Detail(parameter: name, detail: detail, value: value))
    return nil
  }

  /// Throws everything that was wrong, as one problem.
  package func finish() throws {
    if !errors.isEmpty { throw Problem(.validation, errors: errors) }
  }

  // MARK: Parsing

  /// The parameters of `a=1&b=2`, decoded. What cannot be decoded comes out as `nil`.
  static func parse(_ query: ArraySlice<UInt8>) -> [(name: String, value: String)] { (try? strictly(query)) ?? [] }

  static func strictly(_ query: ArraySlice<UInt8>) throws -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    for part in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
      guard parameters.count < parametersMax else {
        throw Problem(.validation, "the query has more than \(parametersMax) parameters")
      }
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      guard let name = PercentEncoding.decode(part[..<equals], plusIsSpace: true),
        let value = PercentEncoding.decode(part[equals...].dropFirst(), plusIsSpace: true)
      else { throw Problem(.validation, "the query is not percent-encoded UTF-8") }
      parameters.append((name, value))
    }
    return parameters
  }

  /// Refuses a query that cannot be decoded, and names that the route does not know.
  static func check(_ query: ArraySlice<UInt8>, against known: [QueryParameter]) throws {
    let errors = unknown(try strictly(query).map(\.name), known)
    if !errors.isEmpty { throw Problem(.validation, errors: errors) }
  }

  private static func unknown(_ names: [String], _ known: [QueryParameter]) -> [Problem.Detail] {
    names.filter { name in !known.contains { $0.name == name } }
      .map { name in
        Problem.Detail(
          parameter: name, detail: "unknown parameter",
          didYouMean: suggestion(for: name, among: known.map(\.name)))
      }
  }
}
