/// Reads the texts of a draft one by one and remembers what is wrong.
package struct DraftCheck<Field: RawRepresentable<String>> {
  package let texts: DraftTexts
  package private(set) var problems: [String] = []
  private let bytesMax: Int

  /// - Parameter bytesMax: longer than any text that people write there; what is longer is of a broken file.
  package init(_ texts: DraftTexts, bytesMax: Int) {
    self.texts = texts
    self.bytesMax = bytesMax
  }

  /// What two checks say is told once.
  package mutating func note(_ problem: String) {
    if !problems.contains(problem) { problems.append(problem) }
  }

  /// In one line, without blanks at its ends.
  ///
  /// - Parameter bytesMax: another bound than that of the other fields.
  package mutating func text(_ field: Field, isRequired: Bool = false, bytesMax: Int? = nil) -> String? {
    guard let text = texts[field]?.oneLine, !text.isEmpty else {
      if isRequired { note("\(field.rawValue) is missing") }
      return nil
    }
    let bytesMax = bytesMax ?? self.bytesMax
    guard text.utf8.count <= bytesMax else {
      note("\(field.rawValue) has \(text.utf8.count) bytes; at most \(bytesMax) are kept")
      return nil
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      note("\(field.rawValue) holds a control character")
      return nil
    }
    return text
  }

  package mutating func optional<Value: LosslessStringConvertible>(_ field: Field, _ form: String) -> Value? {
    guard let text = text(field) else { return nil }
    guard let value = Value(text) else {
      note("\(field.rawValue) is \(text), not \(form)")
      return nil
    }
    return value
  }

  package mutating func required<Value: LosslessStringConvertible>(_ field: Field, _ form: String) -> Value? {
    guard text(field, isRequired: true) != nil else { return nil }
    return optional(field, form)
  }

  package mutating func number(_ field: Field, in range: ClosedRange<Int>) -> Int? {
    guard let text = text(field) else { return nil }
    // Map programs and tables of Python's write 3.0.
    guard let number = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }) else {
      note("\(field.rawValue) is \(text), not a whole number")
      return nil
    }
    guard range.contains(number) else {
      note("\(field.rawValue) is \(number); give one of \(range.lowerBound)...\(range.upperBound)")
      return nil
    }
    return number
  }

  package mutating func flag(_ field: Field) -> Bool? {
    guard let text = text(field)?.lowercased() else { return nil }
    if ["1", "yes", "y", "true"].contains(text) { return true }
    if ["0", "no", "n", "false"].contains(text) { return false }
    note("\(field.rawValue) is \(text); write 1 or 0")
    return nil
  }
}
