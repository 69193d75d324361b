/// Which definitions a connection has been sent: the writer's side of a connection.
///
/// Table numbers belong to the process, so a message may be encoded once and sent on many connections; each connection's
/// writer asks here what its peer still has to be told.
package struct SentTables: Sendable {
  private var words: [UInt64] = []

  package init() {}

  /// Whether the peer already knows every table a message uses. Costs a bit test for each.
  @inline(__always)
  package func cover(_ tables: UnsafeBufferPointer<WireTable>) -> Bool {
    for table in tables where !contains(table) { return false }
    return true
  }

  /// Appends the definitions that the peer lacks to a message and counts them as sent. Nothing is appended when steady.
  package mutating func appendMissing(of tables: UnsafeBufferPointer<WireTable>, to bytes: inout [UInt8]) {
    for table in tables where !contains(table) {
      let word = Int(table.number >> 6)
      while words.count <= word { words.append(0) }
      words[word] |= 1 << UInt64(table.number & 63)
      bytes.append(contentsOf: table.definition)
    }
  }

  /// The definitions that the peer lacks to a message, now counted as sent: empty, without an allocation, when steady.
  package mutating func missing(of tables: UnsafeBufferPointer<WireTable>) -> [UInt8] {
    var bytes: [UInt8] = []
    if !cover(tables) { appendMissing(of: tables, to: &bytes) }
    return bytes
  }

  @inline(__always)
  private func contains(_ table: WireTable) -> Bool {
    let word = Int(table.number >> 6)
    return word < words.count && words[word] & 1 << UInt64(table.number & 63) != 0
  }
}

/// A table of field names that a message uses. Numbers are the process's own and are only ever added.
package struct WireTable: Hashable, Sendable {
  package let number: UInt32

  /// What tells a peer about it.
  package var definition: [UInt8] {
    var bytes: [UInt8] = []
    Definitions.append(UInt64(number), to: &bytes)
    return bytes + names
  }

  /// The same without the number.
  var names: [UInt8] { KeyTable.encodedNames(of: number) }
}

/// The definitions a connection's peer has sent: the reader's side of a connection. Confined to the thread that decodes.
package final class ReceivedTables {
  private var tables: [UInt32: Table] = [:]
  private var nameBytes = 0
  /// By table number, the fields of the reader that last met it.
  private var entries: UnsafeMutableBufferPointer<Entry>

  struct Entry {
    var reader: UnsafePointer<KeyTable>?
    var tags: UnsafePointer<UInt32>
  }

  private struct Table {
    var names: [String]
    var readers: [Entry] = []
  }

  package init() {
    entries = .allocate(capacity: 0)
  }

  deinit {
    for table in tables.values { forget(table) }
    entries.deallocate()
  }

  /// How many tables are known.
  package var count: Int { tables.count }

  /// Takes in a block of definitions. A table that is known already may only gain names.
  ///
  /// After an error the connection is of no further use: which of the block's tables were taken in is unspecified.
  package func learn(_ block: UnsafeRawBufferPointer) throws(WireError) {
    let left = WireLimits.nameBytesPerConnection - nameBytes
    try Definitions.read(block, nameBytesLeft: left) { (id, names) throws(WireError) in
      if let known = tables[id] {
        guard names.count >= known.names.count, names.prefix(known.names.count) == known.names[...] else {
          throw WireError(.badTable, "table \(id) is defined again with other names")
        }
        forget(known)
      }
      nameBytes += names.reduce(0) { $0 + $1.utf8.count } - (tables[id]?.names.reduce(0) { $0 + $1.utf8.count } ?? 0)
      tables[id] = Table(names: names)
      makeRoom(for: Int(id))
      entries[Int(id)] = Entry(reader: nil, tags: KeyTable.noTags)
    }
  }

  package func learn(_ block: [UInt8]) throws(WireError) {
    var failure: WireError?
    block.withUnsafeBytes { bytes in
      do throws(WireError) { try learn(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// The tags that a table gives to a reader's fields; nil if the reader has to look them up by name.
  @inline(__always)
  func tags(of id: UInt64, for reader: UnsafePointer<KeyTable>) throws(WireError) -> UnsafePointer<UInt32>? {
    if id < UInt64(entries.count), entries[Int(id)].reader == reader { return entries[Int(id)].tags }
    return try match(id, reader)
  }

  /// The names of a table's fields, the field numbered 1 first.
  func names(of id: UInt64) throws(WireError) -> [String] {
    guard let table = tables[UInt32(clamping: id)] else {
      throw WireError(.unknownTable, "table \(id) has not been defined")
    }
    return table.names
  }

  @inline(never)
  private func match(_ id: UInt64, _ reader: UnsafePointer<KeyTable>) throws(WireError) -> UnsafePointer<UInt32>? {
    guard id >= TableNumber.first else { return id == TableNumber.integers ? reader.pointee.integerTags : nil }
    let names = try names(of: id)
    let id = UInt32(id)
    if let known = tables[id]?.readers.first(where: { $0.reader == reader }) {
      entries[Int(id)] = known
      return known.tags
    }
    guard tables[id]!.readers.count < WireLimits.readersPerTable else { return nil }
    let numbers = Dictionary(uniqueKeysWithValues: zip(names, UInt32(1)...))
    let tags = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: max(reader.pointee.names.count, 1))
    _ = tags.initialize(from: reader.pointee.names.map { name in numbers[name].map { $0 << 3 } ?? KeyTable.absent })
    let entry = Entry(reader: reader, tags: UnsafePointer(tags.baseAddress!))
    tables[id]!.readers.append(entry)
    entries[Int(id)] = entry
    return entry.tags
  }

  private func makeRoom(for id: Int) {
    guard id >= entries.count else { return }
    let larger = UnsafeMutableBufferPointer<Entry>.allocate(capacity: max(id + 1, min(entries.count * 2, 64)))
    larger.initialize(repeating: Entry(reader: nil, tags: KeyTable.noTags))
    for index in entries.indices { larger[index] = entries[index] }
    entries.deallocate()
    entries = larger
  }

  private func forget(_ table: Table) {
    for entry in table.readers { entry.tags.deallocate() }
  }
}
