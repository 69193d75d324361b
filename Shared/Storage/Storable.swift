package import Clocks

/// A value that one column of one row can hold.
///
/// An `enum` with a raw value conforms by naming the protocol: `enum Kind: String, Storable`. Absence is `nil`, both in a
/// list of values to bind and in `row.read(2) as String?`.
public protocol Storable: Sendable {
  var stored: StoredValue { get }
  /// `nil` if the column holds something that is not one of these.
  init?(stored: StoredValue)
}

/// The five things that SQLite stores.
public enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The kind of the value, for sentences about it: never the value.
  var kind: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real"
    case .text: "text"
    case .blob: "a blob"
    }
  }
}

extension Storable where Self: RawRepresentable, RawValue: Storable {
  public var stored: StoredValue { rawValue.stored }

  public init?(stored: StoredValue) {
    guard let raw = RawValue(stored: stored) else { return nil }
    self.init(rawValue: raw)
  }
}

extension Storable where Self: FixedWidthInteger {
  /// Traps for a `UInt64` over `Int64.max`, which has no place in a column; none of the conforming types is one.
  public var stored: StoredValue { .integer(Int64(self)) }

  public init?(stored: StoredValue) {
    guard case .integer(let value) = stored else { return nil }
    self.init(exactly: value)
  }
}

extension Int64: Storable {}
extension Int: Storable {}
extension Int32: Storable {}
extension UInt32: Storable {}
extension UInt16: Storable {}
extension UInt8: Storable {}

extension Double: Storable {
  public var stored: StoredValue { .real(self) }

  /// An integer is taken too: `sum()` of nothing is one, and so is `coalesce(x, 0)`.
  public init?(stored: StoredValue) {
    switch stored {
    case .real(let value): self = value
    case .integer(let value): self = Double(value)
    case .null, .text, .blob: return nil
    }
  }
}

extension String: Storable {
  public var stored: StoredValue { .text(self) }

  public init?(stored: StoredValue) {
    guard case .text(let value) = stored else { return nil }
    self = value
  }
}

extension [UInt8]: Storable {
  public var stored: StoredValue { .blob(self) }

  public init?(stored: StoredValue) {
    guard case .blob(let value) = stored else { return nil }
    self = value
  }
}

extension Bool: Storable {
  public var stored: StoredValue { .integer(self ? 1 : 0) }

  public init?(stored: StoredValue) {
    switch stored {
    case .integer(0): self = false
    case .integer(1): self = true
    case .null, .integer, .real, .text, .blob: return nil
    }
  }
}

extension WallTime: Storable {
  package var stored: StoredValue { .integer(milliseconds) }

  package init?(stored: StoredValue) {
    guard case .integer(let value) = stored else { return nil }
    self.init(milliseconds: value)
  }
}

extension StoredValue: Storable {
  public var stored: StoredValue { self }

  public init?(stored: StoredValue) { self = stored }
}
