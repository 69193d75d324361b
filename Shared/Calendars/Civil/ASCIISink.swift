/// Takes the bytes of fixed forms: a string that is being made, or a buffer that goes out.
protocol ASCIISink {
  mutating func put(_ byte: UInt8)
}

extension [UInt8]: ASCIISink {
  mutating func put(_ byte: UInt8) { append(byte) }
}

/// Writes straight into a string's storage. What is over its capacity is a mistake of ours.
struct ASCIIWriter: ASCIISink {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  mutating func put(_ byte: UInt8) {
    precondition(count < buffer.count, "a form is longer than its capacity says")
    buffer[count] = byte
    count += 1
  }
}

extension String {
  /// An ASCII text of at most `capacity` bytes.
  init(ascii capacity: Int, _ write: (inout ASCIIWriter) -> Void) {
    self.init(unsafeUninitializedCapacity: capacity) { buffer in
      var writer = ASCIIWriter(buffer)
      write(&writer)
      return writer.count
    }
  }
}

extension ASCIISink {
  mutating func put(_ mark: Unicode.Scalar) { put(UInt8(ascii: mark)) }

  mutating func put(text: StaticString) { text.withUTF8Buffer { for byte in $0 { put(byte) } } }

  mutating func put(twoDigits number: Int) {
    put(UInt8(ascii: "0") + UInt8(number / 10 % 10))
    put(UInt8(ascii: "0") + UInt8(number % 10))
  }

  mutating func put(fourDigits number: Int) {
    put(twoDigits: number / 100)
    put(twoDigits: number % 100)
  }

  /// `2026-11-23`
  mutating func put(_ date: CivilDate) {
    let (year, month, day) = date.parts
    put(fourDigits: year)
    put("-")
    put(twoDigits: month)
    put("-")
    put(twoDigits: day)
  }

  /// `19:30:05`
  mutating func put(_ time: ClockTime, withSeconds: Bool) {
    put(twoDigits: time.hour)
    put(":")
    put(twoDigits: time.minute)
    guard withSeconds else { return }
    put(":")
    put(twoDigits: time.second)
  }
}
