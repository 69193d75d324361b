/// Why a zone file was refused.
package struct ZoneFileError: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// The files of the IANA database, RFC 9636. Version 1 has 32-bit times; from version 2 on a second block with 64-bit
/// times and a footer follows, and the first block is skipped.
extension TimeZoneRules {
  package struct FileLimits: Sendable {
    /// The largest zone of the database has 243 changes in its second block.
    package var changesMax = 4_096
    /// The form allows 256; the largest zone uses 18.
    package var kindsMax = 256
    package var abbreviationBytesMax = 1_024
    package var footerBytesMax = 256

    package init() {}
  }

  package init(name: String, tzif bytes: [UInt8], limits: FileLimits = FileLimits()) throws(ZoneFileError) {
    var reader = BigEndianReader(bytes)
    let first = try Header(&reader, limits)
    guard first.version > 0 else {
      try self.init(name: name, block: first, timeWidth: 4, &reader, limits)
      return
    }
    try reader.skip(first.blockSize(timeWidth: 4))
    let second = try Header(&reader, limits)
    try self.init(name: name, block: second, timeWidth: 8, &reader, limits)
  }

  private struct Header {
    var version: UInt8
    var utIndicators, standardIndicators, leapSeconds, changes, kinds, abbreviationBytes: Int

    init(_ reader: inout BigEndianReader, _ limits: FileLimits) throws(ZoneFileError) {
      guard try reader.take(4).elementsEqual("TZif".utf8) else { throw ZoneFileError("it is not a zone file") }
      let versionByte = try reader.take(1).first ?? 0
      version = versionByte == 0 ? 0 : versionByte &- UInt8(ascii: "0")
      guard version == 0 || (2...9).contains(version) else { throw ZoneFileError("its version is unknown") }
      try reader.skip(15)
      utIndicators = try reader.count()
      standardIndicators = try reader.count()
      leapSeconds = try reader.count()
      changes = try reader.count()
      kinds = try reader.count()
      abbreviationBytes = try reader.count()
      guard leapSeconds == 0 else {
        throw ZoneFileError("it counts leap seconds, which wall clocks do not show; use the file without them")
      }
      guard changes <= limits.changesMax, kinds <= limits.kindsMax,
        abbreviationBytes <= limits.abbreviationBytesMax, utIndicators <= kinds, standardIndicators <= kinds
      else { throw ZoneFileError("its tables are larger than any zone's") }
    }

    func blockSize(timeWidth: Int) -> Int {
      changes * (timeWidth + 1) + kinds * 6 + abbreviationBytes + standardIndicators + utIndicators
    }
  }

  private init(
    name: String, block: Header, timeWidth: Int, _ reader: inout BigEndianReader, _ limits: FileLimits
  ) throws(ZoneFileError) {
    guard block.kinds > 0 else { throw ZoneFileError("it has no offset at all") }
    var changes: [Int64] = []
    changes.reserveCapacity(block.changes)
    for _ in 0..<block.changes {
      let change = timeWidth == 4 ? Int64(try reader.int32()) : try reader.int64()
      // RFC 9636, 3.2: no earlier than -2^59.
      guard change.magnitude <= 1 << 59, change > changes.last ?? .min else {
        throw ZoneFileError("its changes are not in order")
      }
      changes.append(change)
    }
    let kindAfterChange = Array(try reader.take(block.changes))
    guard kindAfterChange.allSatisfy({ $0 < block.kinds }) else {
      throw ZoneFileError("a change leads to an offset that is not there")
    }
    var raw: [(offset: UTCOffset, isDaylight: Bool, name: Int)] = []
    for _ in 0..<block.kinds {
      let seconds = Int(try reader.int32())
      let flags = Array(try reader.take(2))
      guard let offset = UTCOffset(seconds: seconds), flags[0] <= 1, Int(flags[1]) < block.abbreviationBytes else {
        throw ZoneFileError("one of its offsets is out of range")
      }
      raw.append((offset, flags[0] == 1, Int(flags[1])))
    }
    let names = Array(try reader.take(block.abbreviationBytes))
    let kinds = try raw.map { (kind) throws(ZoneFileError) in
      guard let end = names[kind.name...].firstIndex(of: 0) else { throw ZoneFileError("an abbreviation has no end") }
      return Kind(
        offset: kind.offset, isDaylight: kind.isDaylight,
        abbreviation: String(decoding: names[kind.name..<end], as: UTF8.self))
    }
    try reader.skip(block.standardIndicators + block.utIndicators)
    self.init(
      name: name, changes: changes, kindAfterChange: kindAfterChange, kinds: kinds,
      footer: timeWidth == 8 ? try Self.footer(&reader, limits) : nil)
  }

  /// Between two newlines. Empty where nothing is known about the future: then the last change holds.
  private static func footer(
    _ reader: inout BigEndianReader, _ limits: FileLimits
  ) throws(ZoneFileError) -> PosixRule? {
    let rest = try reader.take(reader.rest)
    guard rest.count <= limits.footerBytesMax, rest.count >= 2, rest.first == 0x0A,
      let end = rest.dropFirst().firstIndex(of: 0x0A)
    else { throw ZoneFileError("it has no footer") }
    let text = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
    guard !text.isEmpty else { return nil }
    guard let rule = PosixRule(text) else { throw ZoneFileError("its footer is not a rule") }
    return rule
  }
}

/// Takes numbers from the front of a file; refuses to read past its end.
private struct BigEndianReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var rest: Int { bytes.count - index }

  mutating func take(_ count: Int) throws(ZoneFileError) -> ArraySlice<UInt8> {
    guard count <= rest else { throw ZoneFileError("it is cut short") }
    defer { index += count }
    return bytes[index..<index + count]
  }

  mutating func skip(_ count: Int) throws(ZoneFileError) { _ = try take(count) }

  mutating func count() throws(ZoneFileError) -> Int { Int(UInt32(bitPattern: try int32())) }

  mutating func int32() throws(ZoneFileError) -> Int32 {
    Int32(bitPattern: try take(4).reduce(0) { $0 << 8 | UInt32($1) })
  }

  mutating func int64() throws(ZoneFileError) -> Int64 {
    Int64(bitPattern: try take(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
