import Contracts
import JSON

/// A cinema with the members that it is shown with, written once: all but the distance are the same for everybody.
nonisolated final class KeptCinema: Sendable {
  let cinema: Cinema
  /// Members in JSON, without the braces: those before the distance, and those behind it.
  let before: [UInt8]
  let after: [UInt8]
  /// Of both.
  let hash: UInt64

  init(_ cinema: Cinema) {
    self.cinema = cinema
    let page = CinemaPage(cinema)
    let distance = CinemaPage.memberNames.firstIndex(of: "distance_m") ?? 0
    before = Self.members(CinemaPage.shape.members[..<distance], of: page)
    after = Self.members(CinemaPage.shape.members[distance...], of: page)
    hash = (before + [0] + after).reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static func members(_ members: ArraySlice<Shape<CinemaPage>.Member>, of page: CinemaPage) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for member in members { member.write(page, &json) }
    }
    return Array(json.bytes.dropFirst().dropLast())
  }
}

/// A cinema as `CinemaPage` writes it, with its distance between what is kept.
nonisolated struct NearItem: Presentable {
  let near: KeptNeighbour

  static var schema: Schema { CinemaPage.schema }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.raw(near.kept.before)
      json.field("distance_m", near.wholeMetres)
      json.field("walk_min", near.walkMinutes)
      json.raw(near.kept.after)
    }
  }
}
