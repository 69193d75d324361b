import JSON

/// Where something stands in JSON: names with dots between them. Through a list it goes on in each of its items, or in the
/// one whose place it says: `who.name` is the name of each, `who.0.name` that of the first.
struct JSONPath {
  private let steps: [String]

  init(_ text: String) { steps = text.split(separator: ".").map(String.init) }

  /// What stands there; the items of a list one by one.
  ///
  /// - Returns: isList: it may be several, also where there is one.
  func values(in root: JSONValue) -> (values: [JSONValue], isList: Bool) {
    var isList = false
    var values = [root]
    for step in steps {
      values = values.flatMap { value -> [JSONValue] in
        guard let items = value.array else { return [value[step]].compactMap(\.self) }
        if let place = Int(step) { return [value[place]].compactMap(\.self) }
        isList = true
        return items.compactMap { $0[step] }
      }
    }
    let isOpened = values.contains { $0.array != nil }
    return (values.flatMap { $0.array ?? [$0] }, isList || isOpened)
  }
}
