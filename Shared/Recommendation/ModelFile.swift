extension RecommendationModel {
  /// A file may have so many: 3,000 items against all are 36 MiB, 20,000 with 100 neighbours each 16. Whoever writes one
  /// and whoever reads one goes by this.
  package static let bytesMax = 256 << 20

  /// The model as a file: README.md says byte for byte what it holds.
  package var bytes: [UInt8] {
    var file = ModelWriter()
    file.bytes += ModelLayout.name
    file.add(UInt32(facts.form == .exact ? 0 : 1))
    file.add(UInt32(facts.weighting == .ratings ? 0 : 1))
    file.add(UInt32(items.count))
    file.add(UInt32(facts.users))
    file.add(UInt64(facts.ratings))
    file.add(facts.regularisation.bitPattern)
    for item in items {
      var text = item
      text.withUTF8 { utf8 in
        file.add(UInt32(utf8.count))
        file.bytes += utf8
      }
    }
    file.add(popularity)
    file.add(scale)
    switch affinities {
    case .dense(let cells): file.add(cells)
    case .sparse(let rows):
      file.add(UInt64(rows.count))
      for row in 0..<rows.rowCount { file.add(UInt32(rows[row].count)) }
      file.add(rows.columns)
      file.add(rows.values)
    }
    return Self.sealed(file.bytes)
  }

  /// What a file holds, with its checksum.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var file = ModelWriter(bytes: bytes)
    file.add(ModelLayout.checksum(bytes[...]))
    return file.bytes
  }

  package init(_ bytes: [UInt8]) throws(ModelFileError) {
    var file = ModelReader(bytes)
    guard bytes.starts(with: ModelLayout.name) else {
      throw ModelFileError("this is no model; make one with 'model train'")
    }
    guard bytes.count >= ModelLayout.name.count + 8 else { throw ModelReader.cutOff }
    let end = bytes.count - 8
    file.skip(ModelLayout.name.count)
    let checksum = bytes[end...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard checksum == ModelLayout.checksum(bytes[..<end]) else {
      throw ModelFileError("the model is damaged or was made by another version; train it again")
    }
    let (form, weighting): (UInt32, UInt32) = (try file.number(), try file.number())
    let (itemCount, users): (UInt32, UInt32) = (try file.number(), try file.number())
    let (ratings, regularisation): (UInt64, UInt64) = (try file.number(), try file.number())
    guard form <= 1, weighting <= 1, itemCount <= ModelLayout.itemsMax, let ratings = Int(exactly: ratings) else {
      throw ModelFileError("the model holds what this version does not know; train it again")
    }
    let count = Int(itemCount)
    var items: [String] = []
    for _ in 0..<count { items.append(try file.text()) }
    let popularity: [Float] = try file.numbers(count)
    let scale: [Float] = try file.numbers(count)
    let affinities: Affinities =
      form == 0 ? .dense(try file.numbers(count * count)) : .sparse(try file.rows(count))
    guard file.place == end else { throw ModelFileError("the model holds more than it says; train it again") }
    self.init(
      ModelFacts(
        form: form == 0 ? .exact : .neighbours, weighting: weighting == 0 ? .ratings : .none, users: Int(users),
        ratings: ratings, regularisation: Double(bitPattern: regularisation)),
      items: items, popularity: popularity, scale: scale, affinities)
  }
}

/// Why a file is not a model: a sentence that says what to do.
package struct ModelFileError: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: String

  init(_ reason: String) { self.reason = reason }

  package var description: String { reason }
}

private enum ModelLayout {
  /// The last letter is the version.
  static let name = Array("ODIREC.1".utf8)
  /// More than any catalogue of films.
  static let itemsMax = 2_000_000

  /// FNV-1a over words of eight bytes, and bytes at the end: it finds a damaged file, not a malicious one.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    let prime: UInt64 = 0x100_0000_01b3
    return bytes.withUnsafeBytes { bytes in
      var sum: UInt64 = 0xcbf2_9ce4_8422_2325
      let words = bytes.count & ~7
      for place in stride(from: 0, to: words, by: 8) {
        sum = (sum ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* prime
        sum ^= sum >> 29
      }
      for place in words..<bytes.count { sum = (sum ^ UInt64(bytes[place])) &* prime }
      return sum
    }
  }
}

/// Numbers as this machine has them in memory, which is little-endian wherever we run.
private struct ModelWriter {
  var bytes: [UInt8] = []

  mutating func add(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
  mutating func add(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
  mutating func add(_ numbers: [Float]) { numbers.withUnsafeBytes { bytes += $0 } }
  mutating func add(_ numbers: [Int32]) { numbers.withUnsafeBytes { bytes += $0 } }
}

private struct ModelReader {
  static let cutOff = ModelFileError("the model is cut off; copy it again or train it again")

  private let bytes: [UInt8]
  private(set) var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func skip(_ count: Int) { place += count }

  mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() throws(ModelFileError) -> Number {
    try numbers(1)[0]
  }

  mutating func text() throws(ModelFileError) -> String {
    let count: UInt32 = try number()
    let utf8: [UInt8] = try numbers(Int(count))
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw ModelFileError("the model holds an id that is not UTF-8; train it again")
    }
    return text
  }

  mutating func numbers<Number: BitwiseCopyable>(_ count: Int) throws(ModelFileError) -> [Number] {
    let (size, isTooMuch) = count.multipliedReportingOverflow(by: MemoryLayout<Number>.stride)
    guard !isTooMuch, size <= bytes.count - place else { throw Self.cutOff }
    defer { place += size }
    return Array(unsafeUninitializedCapacity: count) { numbers, initialised in
      bytes.withUnsafeBytes { bytes in
        let source = UnsafeRawBufferPointer(rebasing: bytes[place..<place + size])
        UnsafeMutableRawBufferPointer(numbers).copyMemory(from: source)
      }
      initialised = count
    }
  }

  mutating func rows(_ count: Int) throws(ModelFileError) -> SparseRows {
    let cells: UInt64 = try number()
    let lengths: [UInt32] = try numbers(count)
    guard let total = Int(exactly: cells), lengths.reduce(0, { $0 + Int($1) }) == total else { throw Self.cutOff }
    let columns: [Int32] = try numbers(total)
    let values: [Float] = try numbers(total)
    var rows = SparseRows(columnCount: count, capacity: total)
    var next = 0
    for length in lengths {
      for cell in next..<next + Int(length) {
        guard columns[cell] >= 0, columns[cell] < count else {
          throw ModelFileError("the model names an item that it does not hold; train it again")
        }
        rows.append(column: Int(columns[cell]), values[cell])
      }
      next += Int(length)
      rows.endRow()
    }
    return rows
  }
}
