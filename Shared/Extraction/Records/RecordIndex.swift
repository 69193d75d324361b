import JSON

/// The records of a document by the ids that others name them with.
struct RecordIndex {
  private struct Entry {
    var thing: RecordKey.Thing?
    var object: JSONObject
  }

  private var entries: [String: [Entry]] = [:]
  /// Records with a title and no start, by a number that is called alike where it is used: "nid=12"; nil where two have it.
  private var joints: [String: JSONObject?] = [:]
  private var count = 0
  /// A document of 10 MB has some tens of thousands of records.
  private static let entriesMax = 200_000
  private static let perIDMax = 8

  init() {}

  init(_ root: JSONValue, keys: RecordKeys, budget: WorkBudget) throws(ExtractionError) {
    try collect(root, key: nil, thing: nil, keys: keys, budget: budget)
  }

  /// The record that a field names by its id: one of the kind the field speaks of, or the only one there is.
  func record(named id: String, _ key: RecordKey) -> JSONObject? {
    guard !entries.isEmpty, !id.isEmpty, id.utf8.count <= 128, let found = entries[id] else { return nil }
    if let entry = found.first(where: { $0.thing == key.thing && $0.thing != nil }) { return entry.object }
    return key.isReference && found.count == 1 && found[0].thing == nil && key.thing != nil ? found[0].object : nil
  }

  /// The record with a title that says the same number under the same name, as in tables that were exported one by one.
  func record(joinedBy name: String, _ value: JSONValue) -> JSONObject? {
    guard !joints.isEmpty, let joint = Self.joint(name, value) else { return nil }
    return joints[joint] ?? nil
  }

  /// "nid=12" of `"nid": 12`; nil of what is no such number.
  private static func joint(_ name: String, _ value: JSONValue) -> String? {
    guard (3...4).contains(name.utf8.count), name.lowercased().hasSuffix("id"),
      let id = value.string ?? value.int.map(String.init), !id.isEmpty, id.utf8.count <= 32
    else { return nil }
    return "\(name)=\(id)"
  }

  private mutating func addJoints(of object: JSONObject, keys: RecordKeys) {
    guard object.contains(where: { Self.joint($0.name, $0.value) != nil }) else { return }
    var hasTitle = false
    for (name, value) in object {
      switch keys[name].role {
      case .start: return
      case .title(let rank) where rank <= 2 && value.string?.isEmpty == false: hasTitle = true
      default: break
      }
    }
    guard hasTitle else { return }
    for (name, value) in object {
      guard count < Self.entriesMax, let joint = Self.joint(name, value) else { continue }
      count += 1
      joints[joint] = .some(joints[joint] == nil ? object : nil)
    }
  }

  private static let idNames = [
    "id", "Id", "ID", "_id", "uuid", "code", "Code", "CODE", "guid", "key", "@id", "slug", "urlKey", "url_key", "uid",
  ]

  /// Numbers by which a list of films or houses may count its records; in other lists they are the places in it.
  private static let numberNames = ["no", "No", "NO", "_no", "nr", "_nr"]

  /// `{"MovieCode": "21", "MovieName": "Silt"}` in a list that is not called after films: without a start it is one.
  private mutating func addFilm(_ object: JSONObject, keys: RecordKeys) {
    var ids: [String] = []
    var hasTitle = false
    for (name, value) in object where value.string != nil || value.int != nil {
      let key = keys[name]
      if key.isReference, key.isOfOne, key.thing == .film, let id = value.string ?? value.int.map(String.init) {
        ids.append(id)
      }
      if case .title = key.role, key.isOfFilm, value.string?.isEmpty == false { hasTitle = true }
      // A length is called a time, too.
      if key.isOfStart, value.string?.utf8.contains(where: isDigitByte) == true { return }
    }
    if hasTitle, ids.count == 1 { add(ids[0], .film, object) }
  }

  /// `"movies": {"1234": [{"name": "Silt"}]}`
  private mutating func addListed(_ object: JSONObject) {
    guard object.count > 0,
      object.allSatisfy({ $0.name.utf8.contains(where: isDigitByte) && $0.value.array?.count == 1 })
    else { return }
    for (name, value) in object { if let film = value[0]?.object { add(name, .film, film) } }
  }

  /// `"films": {"f1": "Silt", "f2": "Bolt"}`: names by their ids.
  private mutating func addNames(_ object: JSONObject, keys: RecordKeys) {
    guard object.count > 1,
      object.allSatisfy({ name, value in
        name.utf8.contains(where: isDigitByte) && value.string?.hasLetters == true && keys[name].role == nil
      })
    else { return }
    for (name, value) in object { add(name, .film, JSONObject([("title", value)])) }
  }

  /// The records that are called so and may be films or events: no places, and no showings.
  func records(keyed id: String) -> [JSONObject] {
    guard id.utf8.count <= 128 else { return [] }
    return (entries[id] ?? []).filter { $0.thing == nil || $0.thing == .film || $0.thing == .shows }.map(\.object)
  }

  /// Those of them that stand in a list of films or of events.
  func shown(keyed id: String) -> [JSONObject] {
    guard id.utf8.count <= 128 else { return [] }
    return (entries[id] ?? []).filter { $0.thing == .film || $0.thing == .shows }.map(\.object)
  }

  /// The one record that a reference means, whatever it is of.
  func record(referenced id: String) -> JSONObject? {
    guard id.utf8.count <= 128, let found = entries[id], found.count == 1 else { return nil }
    return found[0].object
  }

  private mutating func collect(
    _ value: JSONValue, key: String?, thing: RecordKey.Thing?, keys: RecordKeys, budget: WorkBudget
  ) throws(ExtractionError) {
    switch value {
    case .array(let values):
      try budget.spend(values.count)
      for value in values { try collect(value, key: nil, thing: thing, keys: keys, budget: budget) }
    case .object(let object):
      try budget.spend(object.count * 2)
      // A map of records by id: {"771107": {"title": …}}
      if let key { add(key, thing, object) }
      var ids: [String] = []
      for name in Self.idNames {
        guard let id = object[name]?.string ?? object[name]?.int.map(String.init), !ids.contains(id) else { continue }
        ids.append(id)
        add(id, thing, object)
      }
      if ids.isEmpty, let thing, Self.isCounted(thing),
        let number = Self.numberNames.lazy.compactMap({ object[$0]?.string ?? object[$0]?.int.map(String.init) }).first
      {
        add(number, thing, object)
      }
      // {"type": "films", "id": "101"} is called by both.
      if let type = (object["type"] ?? object["__typename"])?.string,
        let id = object["id"]?.string ?? object["id"]?.int.map(String.init), key != "\(type):\(id)"
      {
        add("\(type):\(id)", thing, object)
      }
      if let thing, thing == .film || thing == .venue || thing == .screen {
        for (name, value) in object where name.utf8.count <= 24 {
          let own = keys[name]
          if own.isReference, own.isOfOne, own.thing == thing || own.thing == nil,
            let id = value.string ?? value.int.map(String.init)
          {
            add(id, thing, object)
          }
        }
      }
      if thing == nil || thing == .film { addJoints(of: object, keys: keys) }
      if thing == nil || thing == .shows { addFilm(object, keys: keys) }
      if thing == .film { addListed(object) }
      let isMap = Self.isMap(object) { keys[$0].thing == nil }
      for (name, value) in object {
        let own = keys[name].isOfKinds ? .unrelated : keys[name].thing
        guard value.object != nil || value.array != nil else { continue }
        if let names = value.object, own == .film || keys[name].words.last == "titles" { addNames(names, keys: keys) }
        try collect(value, key: isMap ? name : nil, thing: own ?? thing, keys: keys, budget: budget)
      }
    case .null, .bool, .int, .double, .string: break
    }
  }

  private static func isCounted(_ thing: RecordKey.Thing) -> Bool {
    switch thing {
    case .film, .venue, .screen, .organizer: true
    case .shows, .attributes, .unrelated: false
    }
  }

  /// Records by their names: {"771107": {…}}, {"Event:81": {…}}
  static func isMap(_ object: JSONObject, isPlainName: (String) -> Bool = { _ in false }) -> Bool {
    object.count > 0
      && object.allSatisfy {
        $0.value.object != nil && ($0.name.utf8.contains(where: isDigitByte) || isPlainName($0.name))
      }
  }

  private mutating func add(_ id: String, _ thing: RecordKey.Thing?, _ object: JSONObject) {
    guard count < Self.entriesMax, id.utf8.count <= 128, entries[id, default: []].count < Self.perIDMax else { return }
    count += 1
    entries[id, default: []].append(Entry(thing: thing, object: object))
  }
}
