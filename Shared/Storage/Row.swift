import CSQLite

/// The row that a statement stands on. It cannot be kept: read what is wanted and return that. Public, to be
/// specialised for what is read.
public struct Row: ~Copyable {
  private let statement: OpaquePointer

  init(of statement: OpaquePointer) { self.statement = statement }

  public var count: Int { Int(sqlite3_column_count(statement)) }

  public func name(_ column: Int) -> String {
    sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? "\(column)"
  }

  /// Column `column`, counted from 0. Throws `mismatch` if it holds `NULL` or something else than a `Value`.
  public func read<Value: Storable>(_ column: Int, as type: Value.Type = Value.self) throws(StorageError) -> Value {
    let held = try value(column)
    guard let value = Value(stored: held) else { throw mismatch(column, holds: held, wanted: "\(type)") }
    return value
  }

  /// Column `column`, counted from 0; `nil` if it holds `NULL`.
  public func read<Value: Storable>(_ column: Int, as type: Value?.Type = Value?.self) throws(StorageError) -> Value? {
    let held = try value(column)
    if case .null = held { return nil }
    guard let value = Value(stored: held) else { throw mismatch(column, holds: held, wanted: "\(type)") }
    return value
  }

  /// Column `column` as what its text says. Throws `mismatch` if it says no `Value`.
  package func parsed<Value: LosslessStringConvertible>(_ column: Int) throws(StorageError) -> Value {
    let text: String = try read(column)
    guard let value = Value(text) else {
      throw StorageError(.mismatch, "column \(name(column)) holds '\(text)', which is no \(Value.self)")
    }
    return value
  }

  /// Whatever column `column` holds.
  public func value(_ column: Int) throws(StorageError) -> StoredValue {
    guard (0..<count).contains(column) else {
      throw StorageError(.misuse, "column \(column) was asked of a row that has \(count)")
    }
    let index = Int32(column)
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT: return .text(try text(index))
    case SQLITE_BLOB: return .blob(Array(bytes(sqlite3_column_blob(statement, index), index)))
    default: return .null
    }
  }

  private func text(_ index: Int32) throws(StorageError) -> String {
    // The count is asked after the pointer, as SQLite wants it; it includes any NUL inside.
    let bytes = bytes(UnsafeRawPointer(sqlite3_column_text(statement, index)), index)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StorageError(.mismatch, "column \(index) (\(name(Int(index)))) holds text that is not UTF-8")
    }
    return text
  }

  private func bytes(_ start: UnsafeRawPointer?, _ index: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, index)))
  }

  private func mismatch(_ column: Int, holds: StoredValue, wanted: String) -> StorageError {
    StorageError(.mismatch, "column \(column) (\(name(column))) holds \(holds.kind); \(wanted) was asked of it")
  }
}
