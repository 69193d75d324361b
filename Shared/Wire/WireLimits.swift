/// What a message, a value and a connection may ask of us.
package struct WireLimits: Sendable {
  /// Bytes in one message, either way: a frame is buffered whole, so this bounds the memory of a connection.
  package var messageBytes = 16 << 20

  /// Bytes that the lists, sets and maps of one message may take in memory, by the strides of their elements: a two-byte
  /// record may become a hundred bytes of struct. Room for a message that is one list of one-byte integers.
  package var decodedBytes: Int

  package init(messageBytes: Int = 16 << 20) {
    self.messageBytes = messageBytes
    let (product, isOver) = messageBytes.multipliedReportingOverflow(by: MemoryLayout<Int>.stride)
    decodedBytes = isOver ? .max : product
  }

  /// Values inside values, when encoding, decoding and skipping: the stack of a thread holds this many calls many times
  /// over, and no honest contract nests a fifth as deep.
  package static let depth = 64

  /// Tables one connection may define, and `CodingKeys` types one process gives numbers to.
  package static let tables = 4096

  /// Names in one table. Swift needs at most 256; the rest is room for other writers.
  package static let namesPerTable = 1024

  /// UTF-8 bytes in one name.
  package static let nameBytes = 255

  /// UTF-8 bytes of all names one connection may define: what a peer can make us keep for as long as it stays.
  package static let nameBytesPerConnection = 256 << 10

  /// Reader types one table is remembered for; a further one finds its fields by name, record by record.
  static let readersPerTable = 4

  /// The largest field number a key with an integer may have: its tag still fits four bytes and three bits.
  static let fieldNumber = 1 << 28

  /// Bytes of a marked type's value that is still used to check the mark: the check goes both ways and compares, which
  /// costs many times what coding does. Whoever writes the first message decides how long it is; a longer one goes the
  /// plain way, and a later one is checked.
  package static let layoutCheckBytes = 128 << 10

  /// Elements an array makes room for before it has seen them: a two-byte element may become a hundred bytes of struct.
  static let initialCapacity = 1024
  static let initialCapacityBytes = 64 << 10

  /// What an idle encoder keeps of a buffer that one large message made it grow.
  static let idleBufferBytes = 1 << 20
}
