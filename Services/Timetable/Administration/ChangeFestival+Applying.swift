import Contracts
import Festivals
import RPC

nonisolated extension ChangeFestival {
  private enum Limits {
    static let textBytes = 2_000
    static let sponsors = 500
  }

  /// The festival as it is to be.
  func applied(to old: Festival) throws(RPCError) -> Festival {
    var festival = old
    try check()
    festival.name = name ?? festival.name
    festival.subtitle = Self.changed(subtitle, festival.subtitle)
    festival.summary = Self.changed(summary, festival.summary)
    festival.venue = Self.changed(venue, festival.venue)
    festival.city = Self.changed(city, festival.city)
    festival.address = Self.changed(address, festival.address)
    festival.website = Self.changed(website, festival.website)
    festival.position = position ?? festival.position
    if let sponsor {
      let place = festival.sponsors.firstIndex { $0.name == sponsor.name }
      var changed = place.map { festival.sponsors[$0] } ?? FestivalSponsor(name: sponsor.name)
      changed.url = Self.changed(sponsor.url, changed.url)
      changed.logo = Self.changed(sponsor.logo, changed.logo)
      changed.tier = Self.changed(sponsor.tier, changed.tier)
      if let place { festival.sponsors[place] = changed } else { festival.sponsors.append(changed) }
      try RPCError.check(count: festival.sponsors.count, of: "sponsors", atMost: Limits.sponsors)
    }
    if let name = removedSponsor {
      guard let place = festival.sponsors.firstIndex(where: { $0.name == name }) else {
        let names = festival.sponsors.map(\.name).joined(separator: ", ")
        throw RPCError(.notFound, "\(festival.id) has no sponsor \(name); it has \(names.isEmpty ? "none" : names)")
      }
      festival.sponsors.remove(at: place)
    }
    if let room {
      guard let place = festival.rooms.firstIndex(where: { $0.id == room }) else {
        throw RPCError(.notFound, "\(festival.id) has no room \(room)")
      }
      festival.rooms[place].name = roomName ?? festival.rooms[place].name
      festival.rooms[place].floor = Self.changed(floor, festival.rooms[place].floor)
      festival.rooms[place].capacity = capacity ?? festival.rooms[place].capacity
    }
    return festival
  }

  private func check() throws(RPCError) {
    let texts = [
      name, subtitle, summary, venue, city, address, website, sponsor?.name, sponsor?.url, sponsor?.logo, sponsor?.tier,
      roomName, floor,
    ]
    for text in texts.compactMap(\.self) where text.utf8.count > Limits.textBytes {
      throw RPCError(.invalidArgument, "\(text.prefix(40))… is longer than \(Limits.textBytes) bytes", executed: .no)
    }
    for address in [website, sponsor?.url, sponsor?.logo].compactMap(\.self) where !address.isEmpty {
      guard address.hasPrefix("https://") || address.hasPrefix("http://") else {
        throw RPCError(.invalidArgument, "\(address) is no address in the web; write https://…", executed: .no)
      }
    }
    for named in [name, roomName, sponsor?.name] where named?.isEmpty == true {
      throw RPCError(.invalidArgument, "a name is not taken away; give another one", executed: .no)
    }
    guard room != nil || roomName == nil && floor == nil && capacity == nil else {
      throw RPCError(.invalidArgument, "of which room? name it", executed: .no)
    }
    if let capacity { try RPCError.check(capacity, "capacity", in: 0...1_000_000) }
  }

  private static func changed(_ text: String?, _ old: String?) -> String? {
    text.map { $0.isEmpty ? nil : $0 } ?? old
  }
}
