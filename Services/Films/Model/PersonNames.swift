import Atlas
import CSV
import Contracts
import TextSearch

/// What people are called beside the name that lists have: as they write it themselves, and in others' letters.
nonisolated struct PersonNames {
  /// By the folded name.
  private var others: [String: [String]] = [:]
  /// The name that a list goes by, by another one, folded; nil of two people.
  private var mains: [String: String?] = [:]

  /// Those that we know, and those that came with films.
  init(_ films: [CatalogueFilm]) {
    for (name, other) in Self.known { add(other, to: name) }
    for pair in films.lazy.flatMap({ $0.otherNames ?? [] }) {
      // Elsewhere the other one may be what lists go by: KOBIS has 봉준호, and beside it the Latin letters.
      let isTurned = mains[Self.key(pair.name)] == nil && others[Self.key(pair.other)] != nil
      if isTurned { add(pair.name, to: pair.other) } else { add(pair.other, to: main(of: pair.name)) }
    }
  }

  private mutating func add(_ other: String, to name: String) {
    let (key, main) = (Self.key(other), Self.key(name))
    guard !key.isEmpty, key != main else { return }
    if others[main]?.contains(other) != true { others[main, default: []].append(other) }
    if let old = mains[key], old.map(Self.key) != main { mains[key] = .some(nil) } else { mains[key] = name }
  }

  /// The name that somebody goes by; the same one where no other is known, or where it would be two people's.
  func main(of name: String) -> String {
    let key = Self.key(name)
    // Who is listed by a name goes by it.
    guard others[key] == nil, let main = mains[key] else { return name }
    return main ?? name
  }

  func others(of name: String) -> [String] { others[Self.key(name)] ?? [] }

  private static func key(_ name: String) -> String { FoldedText(name).text }

  private static let known: [(name: String, other: String)] = {
    guard var table = try? CSVTable(Atlas.people.bytes) else { return [] }
    var names: [(name: String, other: String)] = []
    while let row = try? table.next() {
      guard let name = row["name"], let others = row["other_names"] else { continue }
      names += others.split(separator: "|").map { (name: name, other: String($0)) }
    }
    return names
  }()
}
