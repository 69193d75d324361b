import Contracts
import JSON

/// A cinema with the members that it is shown with, written once: all but the distance are the same for everybody.
nonisolated final class KeptCinema: Sendable {
  let cinema: Cinema
  /// The whole in JSON, without the two numbers that tell how far it is.
  private let written: [UInt8]
  /// Where in it they belong.
  private let places: (metres: Int, walkMinutes: Int)
  /// Of what is written.
  let hash: UInt64

  init(_ cinema: Cinema) {
    self.cinema = cinema
    let page = CinemaPage(cinema)
    let distance = CinemaPage.memberNames.firstIndex(of: "distance_m") ?? 0
    let before = Self.members(CinemaPage.shape.members[..<distance], of: page)
    let after = Self.members(CinemaPage.shape.members[distance...], of: page)
    var written = Array("{".utf8) + before + Array("\(before.isEmpty ? "" : ",")\"distance_m\":".utf8)
    let metres = written.count
    written += Array(",\"walk_min\":".utf8)
    places = (metres, written.count)
    written += Array((after.isEmpty ? "" : ",").utf8) + after + Array("}".utf8)
    self.written = written
    hash = written.reduce(UInt64(metres)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static func members(_ members: ArraySlice<Shape<CinemaPage>.Member>, of page: CinemaPage) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for member in members { member.write(page, &json) }
    }
    return Array(json.bytes.dropFirst().dropLast())
  }

  /// Its bytes in JSON, the distance included.
  var size: Int { written.count + KeptCinema.distanceDigitsMax }

  private static let distanceDigitsMax = 16

  /// As `CinemaPage` writes it.
  func write(metres: Int, walkMinutes: Int, to json: inout JSONWriter) {
    json.raw(written, metres, at: places.metres, walkMinutes, at: places.walkMinutes)
  }
}

/// What is near, without what plays there: what `ListPage` writes of cinemas that were all met before.
nonisolated struct NearestPage: JSONWritable {
  let near: [KeptNeighbour]
  let hint: String?

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.array("data") { json in
        for item in near {
          item.kept.write(metres: item.wholeMetres, walkMinutes: item.walkMinutes, to: &json)
        }
      }
      json.field("has_more", false)
      json.field("next_cursor", String?.none)
      if let hint { json.field("hint", hint) }
    }
  }

  /// Of the whole in JSON, about.
  var size: Int { near.reduce(64 + (hint?.utf8.count ?? 0)) { $0 + $1.kept.size } }

  /// Others, whenever this is shown otherwise.
  var numbers: [UInt64] {
    var numbers: [UInt64] = []
    numbers.reserveCapacity(near.count * 3)
    for item in near {
      numbers.append(item.kept.hash)
      numbers.append(UInt64(item.wholeMetres))
      numbers.append(UInt64(item.walkMinutes))
    }
    return numbers
  }
}
