import FoundationEssentials
import RandomContracts
import Wire

/// Any bytes are a message of any type: a value or a named error. A value is written so that it reads as the same.
///
/// Input: which type, which form, then either the message or edits of a good one, four bytes each.
func fuzzWire(_ input: UnsafeBufferPointer<UInt8>) {
  guard input.count >= 2 else { return }
  let rest = Array(input.dropFirst(2))
  subjects[Int(input[0]) % subjects.count](Form(rawValue: input[1] % 3)!, rest)
}

private enum Form: UInt8 {
  /// A message that brings its names.
  case selfContained
  /// A message on a connection that knows the names.
  case onConnection
  /// A good message of the second kind, edited.
  case edited
}

nonisolated(unsafe) private let subjects: [(Form, [UInt8]) -> Void] = [
  subject(Small(lat: 37.5, lon: 127, limit: 10)),
  subject(Kinds()),
  subject(Tree(name: "a", children: [Tree(name: "b", children: [Tree(name: "c", children: [])])])),
  subject(["a": [1, 2], "b": []]),
  subject([Choice.none, .one(1), .two(a: "a", b: [.none])]),
  subject([1.5, -0.0, 3]),
  subject(["한글", "b", ""]),
  subject(Data([1, 2, 3, 4])),
]

private struct Small: Codable, Equatable {
  var lat: Double
  var lon: Double
  var limit: Int
}

private struct Kinds: Codable, Equatable {
  var flag = true
  var small: Int8 = -3
  var word: UInt64 = .max
  var float: Float = 1.5
  var text = "a longer text than fifteen bytes"
  var none: String?
  var some: Int? = 7
  var date = Date(timeIntervalSinceReferenceDate: 800_000_000.5)
  var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  var data = Data([0, 255])
  var link = URL(string: "https://a.example/b")
  var twice: Int??
  var names: [String?] = ["a", nil]
  var ranks: [Int: String] = [1: "a"]
  var inner = Small(lat: 1, lon: 2, limit: 3)
  var inners: [Small] = [Small(lat: 1, lon: 2, limit: 3), Small(lat: 4, lon: 5, limit: 6)]
  var set: Set<Int> = [4]
  var format = Format.known
}

private enum Format: String, Codable { case known, other }

private indirect enum Choice: Codable, Equatable {
  case none
  case one(Int)
  case two(a: String, b: [Choice])
}

private final class Tree: Codable, Equatable {
  let name: String
  let children: [Tree]

  init(name: String, children: [Tree]) {
    self.name = name
    self.children = children
  }

  static func == (left: Tree, right: Tree) -> Bool { left.name == right.name && left.children == right.children }
}

/// What is done to the bytes of one type.
private func subject<Value: Codable & Equatable>(_ sample: Value) -> (Form, [UInt8]) -> Void {
  let (encoder, decoder, tables) = (WireEncoder(), WireDecoder(), ReceivedTables())
  var sent = SentTables()
  let message = try! encoder.encode(sample)
  let good = Array(message.bytes)
  try! tables.learn(sent.missing(of: message.tables))

  func decode(_ bytes: [UInt8]) throws -> Value {
    try bytes.withUnsafeBytes { bytes in
      Result { try decoder.decode(Value.self, from: bytes, tables: tables) }
    }.get()
  }

  return { form, bytes in
    func read() -> Value? {
      switch form {
      case .selfContained: try? Wire.decode(Value.self, from: bytes)
      case .onConnection: try? decode(bytes)
      case .edited: try? decode(edited(good, by: bytes))
      }
    }
    // Two readings that differ hold a NaN somewhere. (One reading compared with itself would not: an array is equal to
    // itself without a look at its elements.)
    guard let value = read(), value == read() else { return }
    guard let written = try? Array(encoder.encode(value).bytes) else {
      preconditionFailure("what could be read cannot be written")
    }
    guard let again = try? decode(written) else { preconditionFailure("what was written cannot be read") }
    precondition(again == value, "reads back as something else")
  }
}
