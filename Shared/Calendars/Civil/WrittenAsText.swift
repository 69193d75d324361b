/// A value with one written form, which is also how it is encoded. A text that is not that form does not decode.
package protocol WrittenAsText: LosslessStringConvertible, Codable {
  /// The form in words, for the error: "a date like 2026-11-23".
  static var form: String { get }
}

extension WrittenAsText {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Self(text) else {
      let shown = String(text.unicodeScalars.prefix(40))
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(shown)\" is not \(Self.form)")
    }
    self = value
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension WrittenAsText where Self: CodingKeyRepresentable {
  package var codingKey: any CodingKey { TextKey(stringValue: description) }

  package init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

private struct TextKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
