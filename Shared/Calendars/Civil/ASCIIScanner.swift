/// Reads fixed forms of digits and marks, left to right. Each step says whether it found what it wants; none traps.
struct ASCIIScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var index = 0

  /// The bytes must outlive the scanner: see `String.scanned`.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { index >= bytes.count }
  var rest: Int { bytes.count - index }
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  func peek(_ ahead: Int) -> UInt8? { index + ahead < bytes.count ? bytes[index + ahead] : nil }

  mutating func advance() { if index < bytes.count { index += 1 } }

  mutating func skip(anyOf marks: StaticString) -> UInt8? {
    guard let found = next, marks.withUTF8Buffer({ $0.contains(found) }) else { return nil }
    index += 1
    return found
  }

  mutating func skip(_ word: StaticString) -> Bool {
    guard rest >= word.utf8CodeUnitCount else { return false }
    let matches = word.withUTF8Buffer { $0.elementsEqual(bytes[index..<index + $0.count]) }
    if matches { index += word.utf8CodeUnitCount }
    return matches
  }

  /// Exactly `count` digits, at most nine of them.
  mutating func digits(_ count: Int) -> Int? {
    guard rest >= count else { return nil }
    var value = 0
    for offset in 0..<count {
      let digit = bytes[index + offset] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    index += count
    return value
  }

  /// A run of digits: how many there were, and the value of the first nine.
  mutating func digitRun() -> (value: Int, count: Int)? {
    var value = 0
    var count = 0
    while let byte = next, case let digit = byte &- UInt8(ascii: "0"), digit < 10 {
      if count < 9 { value = value * 10 + Int(digit) }
      count += 1
      index += 1
    }
    return count == 0 ? nil : (value, count)
  }
}

extension ASCIIScanner {
  /// `2026-11-23`
  mutating func date() -> CivilDate? {
    guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2) else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// `19:30` or `19:30:05`
  mutating func clockTime() -> ClockTime? {
    guard let hour = digits(2), skip(":"), let minute = digits(2) else { return nil }
    guard skip(":") else { return ClockTime(hour: hour, minute: minute) }
    return digits(2).flatMap { ClockTime(hour: hour, minute: minute, second: $0) }
  }

  /// `24:30`
  mutating func displayTime() -> DisplayTime? {
    guard let hour = digits(2), skip(":"), let minute = digits(2) else { return nil }
    return DisplayTime(hour: hour, minute: minute)
  }

  /// `2026-11-24T00:30:00`
  mutating func civilDateTime() -> CivilDateTime? {
    guard let date = date(), skip("T"), let time = clockTime() else { return nil }
    return CivilDateTime(date, time)
  }
}

extension StringProtocol {
  /// What `body` reads, if it reads the whole text.
  func scanned<Value>(_ body: (inout ASCIIScanner) -> Value?) -> Value? {
    var text = String(self)
    return text.withUTF8 { bytes in
      var scanner = ASCIIScanner(bytes)
      guard let value = body(&scanner), scanner.isAtEnd else { return nil }
      return value
    }
  }
}
