import Calendars
import Clocks
import Contracts
import HTTP
import JSON

/// A query parameter, declared once: how it is read, and how the API's description tells of it.
///
/// Reading never fails at once: what is wrong is noted in the reader, which throws all of it together, and a value that
/// stands in is returned meanwhile.
nonisolated struct QueryField<Value>: AnyQueryField {
  let name: String
  let summary: String
  let isRequired: Bool
  let schema: Schema
  /// What its value may be, where that is a closed list of which several may be given.
  let words: [String]
  let read: @Sendable (inout QueryReader) -> Value

  init(
    _ name: String, _ summary: String, isRequired: Bool = false, schema: Schema, words: [String] = [],
    read: @escaping @Sendable (inout QueryReader) -> Value
  ) {
    self.name = name
    self.summary = summary
    self.isRequired = isRequired
    self.schema = schema
    self.words = words
    self.read = read
  }
}

/// A query parameter whose type does not matter here.
nonisolated protocol AnyQueryField: Sendable {
  var name: String { get }
  var summary: String { get }
  var isRequired: Bool { get }
  var schema: Schema { get }
  var words: [String] { get }
}

nonisolated extension QueryReader {
  mutating func take<Value>(_ field: QueryField<Value>) -> Value { field.read(&self) }
}

// MARK: - Kinds

nonisolated extension QueryField {
  static func int(_ name: String, _ summary: String, in range: ClosedRange<Int>, default value: Int) -> QueryField<Int>
  {
    .init(name, summary, schema: .integer(range).with("default", .int(Int64(value)))) {
      $0.int(name, in: range) ?? value
    }
  }

  static func optionalInt(_ name: String, _ summary: String, in range: ClosedRange<Int>) -> QueryField<Int?> {
    .init(name, summary, schema: .integer(range)) { $0.int(name, in: range) }
  }

  static func double(_ name: String, _ summary: String, in range: ClosedRange<Double>) -> QueryField<Double?> {
    .init(name, summary, schema: .number(range)) { $0.double(name, in: range) }
  }

  static func requiredDouble(_ name: String, _ summary: String, in range: ClosedRange<Double>) -> QueryField<Double> {
    .init(name, summary, isRequired: true, schema: .number(range)) { query in
      if let value = query.double(name, in: range) { return value }
      if query.all(name).isEmpty {
        query.refuse(name, "is missing; give a number from \(range.lowerBound) to \(range.upperBound)") as Never?
      }
      return range.lowerBound
    }
  }

  static func flag(_ name: String, _ summary: String) -> QueryField<Bool> {
    .init(name, summary, schema: .oneOf([.boolean, .words(["1", "0"])]).with("default", false)) { query in
      switch query.string(name) {
      case nil, "false", "0": false
      case "true", "1": true
      case let text?: query.refuse(name, "must be true or false", text) ?? false
      }
    }
  }

  static func written<Written: WrittenAsText & Presentable & SendableMetatype>(
    _ name: String, _ summary: String, as type: Written.Type = Written.self
  ) -> QueryField<Written?> {
    .init(name, summary, schema: Written.schema) { query in
      guard let text = query.string(name) else { return nil }
      // A + that was not encoded arrives as a blank, and 2026-11-23T10:00:00 09:00 can mean nothing else.
      return Written(text) ?? Written(text.replacing(" ", with: "+"))
        ?? query.refuse(name, "must be \(Written.form)", text)
    }
  }

  /// Text without control characters, counted in code points.
  static func text(
    _ name: String, _ summary: String, isRequired: Bool = false, length: ClosedRange<Int>
  ) -> QueryField<String?> {
    .init(
      name, summary, isRequired: isRequired, schema: .string(pattern: "^[^\\x00-\\x1F\\x7F]*$", length: length)
    ) { query in
      guard let text = query.string(name, max: length.upperBound * 4) else {
        if isRequired, query.all(name).isEmpty { query.refuse(name, "is missing; give a text") as Never? }
        return nil
      }
      guard length.contains(text.unicodeScalars.count) else {
        return query.refuse(name, "must have \(length.lowerBound) to \(length.upperBound) characters", text)
      }
      guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        return query.refuse(name, "must have no control characters")
      }
      return text
    }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ summary: String, default value: Choice
  ) -> QueryField<Choice> {
    let words = Choice.allCases.map(\.rawValue)
    return .init(name, summary, schema: .words(words).with("default", .string(value.rawValue))) {
      $0.choice(name, of: Choice.self) ?? value
    }
  }

  static func optionalChoice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ summary: String, of type: Choice.Type = Choice.self
  ) -> QueryField<Choice?> {
    .init(name, summary, schema: .words(Choice.allCases.map(\.rawValue))) { $0.choice(name, of: Choice.self) }
  }

  /// Any of a closed list of words, repeated or with commas between them.
  static func choices<Choice: RawRepresentable<String> & CaseIterable & Hashable & Sendable>(
    _ name: String, _ summary: String, of type: Choice.Type = Choice.self
  ) -> QueryField<Set<Choice>> {
    let words = Choice.allCases.map(\.rawValue)
    return .init(name, summary, schema: .array(of: .words(words), atMost: listMax), words: words) { query in
      var chosen: Set<Choice> = []
      for word in query.list(name, max: listMax) {
        if let choice = Choice(rawValue: word) {
          chosen.insert(choice)
        } else {
          query.refuse(name, word, among: words)
        }
      }
      return chosen
    }
  }

  static func ids<Subject>(
    _ name: String, _ summary: String, of: ID<Subject>.Type = ID<Subject>.self, atMost: Int = listMax
  ) -> QueryField<[ID<Subject>]> {
    .init(name, summary, schema: .array(of: ID<Subject>.schema, atMost: atMost)) { query in
      query.list(name, max: atMost).compactMap { word in
        ID<Subject>(word) ?? query.refuse(name, "must be \(ID<Subject>.form)", word)
      }
    }
  }

  /// Words of letters, digits and marks that no list is known of.
  static func words(
    _ name: String, _ summary: String, pattern: String, atMost: Int = listMax,
    fits: @escaping @Sendable (String) -> Bool
  )
    -> QueryField<[String]>
  {
    .init(name, summary, schema: .array(of: .string(pattern: pattern, length: 1...80), atMost: atMost)) { query in
      query.list(name, max: atMost).filter { word in
        if word.unicodeScalars.count <= 80, fits(word) { return true }
        query.refuse(name, "must match \(pattern)", word) as Never?
        return false
      }
    }
  }

  /// Values of one parameter.
  static var listMax: Int { 32 }
}

nonisolated extension QueryReader {
  /// Notes a word that is none of a closed list, with the one that was meant.
  mutating func refuse(_ name: String, _ word: String, among words: [String]) {
    let meant = suggestion(for: word, among: words)
    let near = meant.map { "; did you mean \($0)?" } ?? ""
    refuse(name, "must be of \(words.joined(separator: ", "))\(near)", word, didYouMean: meant) as Never?
  }
}

// MARK: - Places

nonisolated extension QueryField where Value == Double {
  static let latitude = QueryField<Double>.requiredDouble("lat", "Degrees north, WGS 84.", in: -90...90)
  static let longitude = QueryField<Double>.requiredDouble("lon", "Degrees east, WGS 84.", in: -180...180)
}

nonisolated extension QueryField where Value == Double? {
  static let maybeLatitude = QueryField<Double?>.double("lat", "Degrees north, WGS 84; with `lon`.", in: -90...90)
  static let maybeLongitude = QueryField<Double?>.double("lon", "Degrees east, WGS 84; with `lat`.", in: -180...180)
}

nonisolated extension QueryField where Value == Coordinate? {
  /// `lat,lon`
  static let near = near("A point, `lat,lon` in degrees: nearest first.")

  /// The same for another use, which `description` tells.
  static func near(_ description: String) -> QueryField<Coordinate?> {
    QueryField<Coordinate?>(
      "near", description,
      schema: .string(pattern: "^-?[0-8]?[0-9](\\.[0-9]{1,12})?,-?(1[0-7]|[0-9])?[0-9](\\.[0-9]{1,12})?$")
    ) { query in
      guard let text = query.string("near") else { return nil }
      guard let numbers = Degrees.list(text, count: 2),
        let point = try? Coordinate(latitude: numbers[0], longitude: numbers[1])
      else { return query.refuse("near", "must be lat,lon in degrees, as 37.571,126.976", text) }
      return point
    }
  }
}

/// A box on the globe, as GeoJSON writes it.
nonisolated struct Box: Hashable, Sendable {
  var southWest: Coordinate
  var northEast: Coordinate

  func contains(_ point: Coordinate) -> Bool {
    let isInHeight = (southWest.latitude...max(southWest.latitude, northEast.latitude)).contains(point.latitude)
    let (west, east) = (southWest.longitude, northEast.longitude)
    return isInHeight
      && (west <= east ? (west...east).contains(point.longitude) : point.longitude >= west || point.longitude <= east)
  }
}

nonisolated extension QueryField where Value == Box? {
  /// `west,south,east,north`
  static let bbox = QueryField<Box?>(
    "bbox", "A box, `west,south,east,north` in degrees; west may be greater than east, over the 180th meridian.",
    schema: .string(
      pattern: "^-?(1[0-7]|[0-9])?[0-9](\\.[0-9]{1,12})?,-?[0-8]?[0-9](\\.[0-9]{1,12})?"
        + ",-?(1[0-7]|[0-9])?[0-9](\\.[0-9]{1,12})?,-?[0-8]?[0-9](\\.[0-9]{1,12})?$")
  ) { query in
    guard let text = query.string("bbox") else { return nil }
    guard let numbers = Degrees.list(text, count: 4),
      let southWest = try? Coordinate(latitude: numbers[1], longitude: numbers[0]),
      let northEast = try? Coordinate(latitude: numbers[3], longitude: numbers[2])
    else { return query.refuse("bbox", "must be west,south,east,north in degrees, as 126.7,37.4,127.2,37.7", text) }
    guard southWest.latitude <= northEast.latitude else {
      return query.refuse("bbox", "must have its south before its north: west,south,east,north", text)
    }
    return Box(southWest: southWest, northEast: northEast)
  }
}

/// Numbers with commas between them.
nonisolated enum Degrees {
  static func list(_ text: String, count: Int) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == count else { return nil }
    var numbers: [Double] = []
    for part in parts {
      guard part.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }),
        let number = Double(part)
      else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}

// MARK: - What many have

nonisolated extension QueryField where Value == Language? {
  static let language = QueryField<Language?>.optionalChoice(
    "lang", "The language of titles; wins over Accept-Language.", of: Language.self)
}
