extension Collection<UInt8> {
  /// The JSON inside of a call, `callback({…});`, as servers answer scripts of other sites; anything else as it is.
  package var withoutCallback: ArraySlice<UInt8> {
    let all = ArraySlice(self)
    let start = all.drop(while: \.isBlank)
    let name = start.prefix { $0 != UInt8(ascii: "(") }
    guard name.count < start.count, (1...Callback.bytesMax).contains(name.count), name.allSatisfy(\.isOfName) else {
      return all
    }
    var inside = start[name.endIndex...].dropFirst()
    while let last = inside.last, last.isBlank || last == UInt8(ascii: ";") { inside.removeLast() }
    guard inside.popLast() == UInt8(ascii: ")"), let first = inside.first(where: { !$0.isBlank }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return all }
    return inside
  }
}

private enum Callback {
  /// Longer than any name that a script has for it.
  static let bytesMax = 100
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  fileprivate var isOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "$"):
      true
    default: false
    }
  }
}
