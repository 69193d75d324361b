import CSQLite

/// A prepared statement. It belongs to one connection and is used by that connection's thread alone.
final class Statement {
  let handle: OpaquePointer
  let text: String
  /// On loan to a caller, who may be running other statements, even this one, for each of its rows.
  var isOut = false
  /// When it was last lent, in loans: the oldest is dropped first.
  var lastLoan: UInt64 = 0

  /// Throws `misuse` if the text is not exactly one statement.
  init(_ text: String, on connection: OpaquePointer, isKept: Bool) throws(StorageError) {
    self.text = text
    var text = text
    let (code, prepared, rest) = text.withUTF8 { bytes -> (Int32, OpaquePointer?, Substring) in
      guard let start = bytes.baseAddress else { return (SQLITE_OK, nil, "") }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { characters in
        var prepared: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(connection, characters, Int32(clamping: bytes.count), flags, &prepared, &tail)
        let used = tail.map { $0 - characters } ?? bytes.count
        return (code, prepared, Substring(decoding: bytes[used...], as: UTF8.self))
      }
    }
    guard code == SQLITE_OK else { throw StorageError(code: code, on: connection, sql: self.text) }
    guard let prepared else {
      throw StorageError(.misuse, "there is no statement in this SQL: \(self.text)")
    }
    handle = prepared
    guard rest.allSatisfy({ $0.isWhitespace || $0 == ";" }) else {
      throw StorageError(.misuse, "one statement at a time; after the first there is more in: \(self.text)")
    }
  }

  deinit { sqlite3_finalize(handle) }

  /// Whether running it changes nothing in the file.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  func bind(_ values: [(any Storable)?]) throws(StorageError) {
    let wanted = Int(sqlite3_bind_parameter_count(handle))
    guard wanted == values.count else {
      throw StorageError(.misuse, "\(wanted) values are wanted and \(values.count) were given for: \(text)")
    }
    // Not `enumerated()`: of optional existentials that is a generic type which is looked up anew for each value.
    for index in values.indices { try bind(values[index]?.stored ?? .null, at: Int32(index + 1)) }
  }

  private func bind(_ value: StoredValue, at index: Int32) throws(StorageError) {
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(handle, index)
    case .integer(let value): code = sqlite3_bind_int64(handle, index, value)
    case .real(let value):
      // SQLite would quietly keep NULL.
      guard !value.isNaN else { throw StorageError(.misuse, "value \(index) is not a number; bind nil for: \(text)") }
      code = sqlite3_bind_double(handle, index, value)
    case .text(var value):
      code = value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { csqlite_bind_text(handle, index, $0.baseAddress, $0.count) }
      }
    case .blob(let value):
      code = value.withUnsafeBytes { csqlite_bind_blob(handle, index, $0.baseAddress, $0.count) }
    }
    guard code == SQLITE_OK else { throw StorageError(code: code, on: sqlite3_db_handle(handle), sql: text) }
  }

  /// True if it stands on a row, false at the end.
  func step() throws(StorageError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw StorageError(code: code, on: sqlite3_db_handle(handle), sql: text)
    }
  }

  /// Ready for the next caller. Values are let go, as they may be large.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}

/// The statements that a connection keeps prepared: the latest `limit`, by text.
struct StatementCache {
  /// By the length of their texts. Few are kept, most differ in length, and a literal equals itself at a glance: to hash a
  /// text, or its length as a dictionary does, would cost more than finding the statement.
  private var kept: [[Statement]] = Array(repeating: [], count: lengths)
  private static let lengths = 64

  private let limit: Int
  private(set) var count = 0
  private var loans: UInt64 = 0
  private(set) var preparations = 0

  init(limit: Int) { self.limit = limit }

  private static func place(of text: String) -> Int { text.utf8.count % lengths }

  /// A statement for this text, which the caller gives back.
  mutating func lend(_ text: String, on connection: OpaquePointer) throws(StorageError) -> Statement {
    loans += 1
    let place = Self.place(of: text)
    var isKnown = false
    for statement in kept[place] where statement.text == text {
      isKnown = true
      guard !statement.isOut else { break }
      statement.isOut = true
      statement.lastLoan = loans
      return statement
    }
    // If the kept one is out, its caller is running the same text again for one of its rows: that one is not kept.
    preparations += 1
    let isKept = !isKnown && limit > 0
    let statement = try Statement(text, on: connection, isKept: isKept)
    statement.isOut = true
    statement.lastLoan = loans
    if isKept {
      makeRoom()
      kept[place].append(statement)
      count += 1
    }
    return statement
  }

  func giveBack(_ statement: Statement) {
    statement.reset()
    statement.isOut = false
  }

  mutating func removeAll() {
    for place in kept.indices { kept[place] = [] }
    count = 0
  }

  /// What is out may be over the limit for a moment: it cannot be dropped.
  private mutating func makeRoom() {
    while count >= limit, let oldest = kept.joined().filter({ !$0.isOut }).min(by: { $0.lastLoan < $1.lastLoan }) {
      kept[Self.place(of: oldest.text)].removeAll { $0 === oldest }
      count -= 1
    }
  }
}
