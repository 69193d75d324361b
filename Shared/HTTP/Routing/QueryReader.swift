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
    if let known { errors = Self.unknown(parameters, known) }
  }

  /// The names, in their order, each as often as it occurs.
  package var names: [String] { parameters.map(\.name) }

  /// All values of a parameter.
  package func all(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }

  /// The value of a parameter that may occur once.
  package mutating func string(_ name: String, max: Int = 256) -> String? {
    guard let place = parameters.firstIndex(where: { $0.name == name }) else { return nil }
    if parameters[(place + 1)...].contains(where: { $0.name == name }) { return refuse(name, "must be given once") }
    let value = parameters[place].value
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
    guard let value = PlainDecimal.value(of: text) ?? (text.utf8.allSatisfy(Self.isOfNumber) ? Double(text) : nil),
      range.contains(value)
    else { return refuse(name, "must be a number from \(range.lowerBound) to \(range.upperBound)", text) }
    return value
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
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
    guard parameters.contains(where: { $0.name == name }) else { return [] }
    let values = all(name).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    guard values.count <= max else {
      refuse(name, "must have at most \(max) values") as Never?
      return []
    }
    guard !values.contains("") else {
      refuse(name, "has an empty value; leave it out, or give one") as Never?
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
  package mutating func refuse<Value>(
    _ name: String, _ detail: String, _ value: String? = nil, didYouMean: String? = nil
  ) -> Value? {
    errors.append(Problem.Detail(parameter: name, detail: detail, value: value, didYouMean: didYouMean))
    return nil
  }

  /// Throws everything that was wrong, as one problem.
  package func finish() throws {
    if !errors.isEmpty { throw Problem(.validation, errors: errors) }
  }

  // MARK: Parsing

  /// The parameters of `a=1&b=2`, decoded; a problem if they cannot be.
  static func strictly(_ query: ArraySlice<UInt8>) throws -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    parameters.reserveCapacity(usualParameters)
    try query.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < bytes.count {
        let end = place(of: UInt8(ascii: "&"), in: bytes, from: start, to: bytes.count)
        let part = start..<end
        start = end + 1
        guard !part.isEmpty else { continue }
        guard parameters.count < parametersMax else {
          throw Problem(.validation, "the query has more than \(parametersMax) parameters")
        }
        let equals = place(of: UInt8(ascii: "="), in: bytes, from: part.lowerBound, to: end)
        let (name, value) = (part.lowerBound..<equals, min(equals + 1, end)..<end)
        guard let name = PercentEncoding.decode(UnsafeBufferPointer(rebasing: bytes[name]), plusIsSpace: true),
          let value = PercentEncoding.decode(UnsafeBufferPointer(rebasing: bytes[value]), plusIsSpace: true)
        else { throw Problem(.validation, "the query is not percent-encoded UTF-8") }
        parameters.append((name, value))
      }
    }
    return parameters
  }

  /// Few requests have more; the list of one that has grows.
  private static let usualParameters = 4

  private static func place(
    of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
  ) -> Int {
    var index = start
    while index < end, bytes[index] != byte { index += 1 }
    return index
  }

  /// Refuses names that the route does not know.
  static func check(_ parameters: [(name: String, value: String)], against known: [QueryParameter]) throws {
    let errors = unknown(parameters, known)
    if !errors.isEmpty { throw Problem(.validation, errors: errors) }
  }

  private static func unknown(
    _ parameters: [(name: String, value: String)], _ known: [QueryParameter]
  ) -> [Problem.Detail] {
    var errors: [Problem.Detail] = []
    for (name, _) in parameters where !known.contains(where: { $0.name == name }) {
      errors.append(
        Problem.Detail(
          parameter: name, detail: "unknown parameter",
          didYouMean: meant(by: name, among: known)))
    }
    return errors
  }

  private static func meant(by name: String, among known: [QueryParameter]) -> String? {
    let names = known.map(\.name)
    if let synonym = synonyms[name.lowercased()]?.first(where: names.contains) { return synonym }
    // Elsewhere each thing that one may wish for is a parameter: wifi=1 is features=wifi.
    if let list = known.first(where: { $0.words.contains(name) }) { return "\(list.name)=\(name)" }
    return suggestion(for: name, among: names)
  }

  /// What others call it, where that is nearer to another of our names: `lng` is no `lang`.
  private static let synonyms = [
    "lng": ["lon", "near"], "long": ["lon", "near"], "longitude": ["lon", "near"], "lon": ["near"],
    "latitude": ["lat", "near"], "lat": ["near"], "language": ["lang"], "locale": ["lang"], "page_size": ["limit"],
    "count": ["limit"], "query": ["q"], "search": ["q"], "section": ["list"],
  ]
}
