import JSON

/// What others' JSON says, where texts stand for numbers and numbers for texts.
extension JSONValue {
  /// A text that says something, or a number as one.
  var told: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .int(let number): String(number)
    default: nil
    }
  }

  /// Numbers come as texts here and there.
  var whole: Int? { int ?? string.flatMap { Int($0) } }
  var decimal: Double? { double ?? string.flatMap { Double($0) } }
}
