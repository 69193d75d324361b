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

// MARK: - And the way back

extension String {
  /// An ASCII text of at most `capacity` bytes.
  init(ascii capacity: Int, _ write: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    write(&bytes)
    self.init(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  mutating func append(number: Int, width: Int) {
    var scale = 1
    for _ in 1..<Swift.max(width, 1) { scale *= 10 }
    while scale > 0 {
      append(UInt8(ascii: "0") + UInt8(number / scale % 10))
      scale /= 10
    }
  }

  mutating func append(_ date: CivilDate) {
    let (year, month, day) = date.parts
    append(number: year, width: 4)
    append(UInt8(ascii: "-"))
    append(number: month, width: 2)
    append(UInt8(ascii: "-"))
    append(number: day, width: 2)
  }

  mutating func append(_ time: ClockTime, withSeconds: Bool) {
    append(number: time.hour, width: 2)
    append(UInt8(ascii: ":"))
    append(number: time.minute, width: 2)
    guard withSeconds else { return }
    append(UInt8(ascii: ":"))
    append(number: time.second, width: 2)
  }

  mutating func append(text: some StringProtocol) { append(contentsOf: text.utf8) }
}

extension Int64 {
  /// Quotient rounded down, and what is left, never negative.
  func dividedDown(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
