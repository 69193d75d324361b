/// The low three bits of a tag: how many bytes the payload takes and how it is read.
enum WireType: UInt8 {
  case varint = 0
  case fixed64 = 1
  case bytes = 2
  case record = 3
  case list = 4
  case fixed32 = 5
  case constant = 6
}

/// The bytes that mean something by themselves.
enum Mark {
  /// Ends a record.
  static let recordEnd: UInt8 = 0x00
  /// Ends an open list or open map, where the next element's wire type would stand.
  static let listEnd: UInt8 = 0x07
  /// Begins a further part of a record, where the next field's tag would stand.
  static let part: UInt8 = 0x07
  /// The top-level value is a field numbered 1.
  static let root: UInt8 = 1 << 3
  /// The header of a list whose elements each carry their wire type.
  static let openList: UInt8 = 0x07
  /// The header of a map whose keys and values each carry their wire type.
  static let openMap: UInt8 = 0x0F
  /// Set in the header of every map.
  static let map: UInt8 = 0x08
  /// Set in a record's header when its fields do not stand in ascending order or in one part.
  static let irregular: UInt8 = 1
}

/// The payload of a `constant`.
enum Constant {
  static let none: UInt8 = 0
  static let no: UInt8 = 1
  static let yes: UInt8 = 2
  /// A nil held inside `n` further optionals is `nested + n - 1`.
  static let nested: UInt8 = 3

  @inline(__always)
  static func isNil(_ byte: UInt8) -> Bool { byte == none || byte >= nested }
}

/// Table numbers that need no definition.
enum TableNumber {
  /// Field numbers are the keys' own integers.
  static let integers: UInt32 = 0
  /// Every field is preceded by its name.
  static let inline: UInt32 = 1
  /// The first number given to a `CodingKeys` type.
  static let first: UInt32 = 2
}
