import CSV
import Contracts
import JSON
import ServiceKit
import Wire

/// A file of things to save, as `import` reads it.
nonisolated enum ItemFile {
  /// Five thousand things with the longest notes.
  static let bytesMax = 64 << 20
  /// What one request may hold.
  static let itemsPerRequest = 1_000

  /// - Parameter kind: of things whose kind the file does not say.
  static func items(in bytes: [UInt8], kind: ItemKind) throws(CommandError) -> [NewItem] {
    let first = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
      ? try json(bytes, kind) : try csv(bytes, kind)
  }

  private static func json(_ bytes: [UInt8], _ kind: ItemKind) throws(CommandError) -> [NewItem] {
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: bytes, limits: JSONLimits(bytes: bytesMax))
    } catch {
      throw CommandError(.usage, "the file is no JSON", why: "\(error)")
    }
    guard let array = document["items"]?.array ?? document.array else {
      throw CommandError(.usage, "the file holds no things", why: "it has no array \"items\" and is none itself")
    }
    var items: [NewItem] = []
    for (place, entry) in array.enumerated() {
      // A tombstone of an export is nothing to save.
      guard entry["removed_at"].map(\.isNull) ?? true else { continue }
      guard let id = entry["id"]?.string ?? entry.string else {
        throw CommandError(.usage, "items[\(place)] has no id", why: "each is an object with id, kind and note")
      }
      items.append(
        NewItem(kind: entry["kind"]?.string.map { .named($0) } ?? kind, id: id, note: entry["note"]?.string))
    }
    return items
  }

  private static func csv(_ bytes: [UInt8], _ kind: ItemKind) throws(CommandError) -> [NewItem] {
    do throws(CSVError) {
      var table = try CSVTable(bytes, aliases: ["film_id": "id"])
      try table.check(known: ["id", "kind", "note", "saved_at", "revision"], required: ["id"])
      var items: [NewItem] = []
      while let row = try table.next() {
        items.append(
          NewItem(kind: row["kind"].map { .named($0) } ?? kind, id: try row.required("id"), note: row["note"]))
      }
      return items
    } catch {
      throw CommandError(.usage, "the file is no list of things", why: "\(error)")
    }
  }
}
