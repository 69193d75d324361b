/// A cinema on tour: all places have its name, and their addresses name the halls.
///
///     "location": {"name": "Moss Travelling Cinema", "address": "Fenby, Village Hall"}
struct TouringHouse {
  /// One for each candidate, in their order.
  private var places: [(name: String?, address: String?)] = []

  mutating func add(_ name: String?, address: String?) { places.append((name, address?.trimmedText)) }

  /// Where one name has several addresses, these are where one goes. A chain's have streets and numbers, or towns alone.
  func tell(in candidates: inout [Candidate]) {
    guard places.count == candidates.count, Set(places.map(\.name)).count == 1, places.first?.name != nil else {
      return
    }
    let addresses = Set(places.map(\.address))
    guard addresses.count > 1,
      addresses.allSatisfy({ $0.map(Self.isInWords) ?? false }),
      addresses.count(where: { $0.map(Self.namesHall) ?? false }) * 2 >= addresses.count
    else { return }
    for (index, place) in places.enumerated() { candidates[index].venue = place.address }
  }

  /// A town and a hall, and no number of a house.
  private static func isInWords(_ address: String) -> Bool {
    address.utf8.count <= bytesMax && address.holds(", ") && !address.utf8.contains(where: isDigitByte)
  }

  private static func namesHall(_ address: String) -> Bool {
    address.split(separator: ", ").contains { part in
      VenueLines.isPlace(String(part))
        || part.lowercased().split(separator: " ").contains { PageWords.screen.contains(String($0).foldedKey) }
    }
  }

  private static let bytesMax = 120
}
