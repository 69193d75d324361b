package import Calendars
package import Contracts
package import Drafts
import HTML
import JSON
import ServiceKit

/// What a file held: drafts of restaurants, and the rows that could not be read at all.
nonisolated package struct DraftReading: Sendable {
  package var drafts: [RestaurantDraft] = []
  package var problems: [DraftProblems] = []

  package init() {}

  /// All that its drafts are called.
  var ids: [RestaurantID] { Set(drafts.compactMap(\.knownID)).sorted() }

  /// Leaves what its drafts do not say of restaurants that are kept as it is. What a guide told may not be kept for
  /// ever, so of that nothing becomes an operator's.
  package mutating func complete(from kept: [RestaurantID: Restaurant]) {
    for index in drafts.indices {
      guard let id = drafts[index].knownID, let place = kept[id], place.asOf == nil else { continue }
      drafts[index].complete(from: place)
    }
  }

  /// The restaurants of the rows that are right; the others are told in `problems`.
  package func checked(zones: ZoneDirectory) -> (places: [RestaurantLint.Entry], problems: [DraftProblems]) {
    var places: [RestaurantLint.Entry] = []
    var problems = problems
    for draft in drafts {
      do throws(DraftProblems) {
        places.append(.init(draft.place, try draft.restaurant(zones: zones)))
      } catch {
        problems.append(error)
      }
    }
    return (places, problems)
  }

  /// Of places with one id the first; each other one is a problem of its line.
  package static func unique(
    _ places: [RestaurantLint.Entry]
  ) -> (places: [RestaurantLint.Entry], problems: [DraftProblems]) {
    var first: [RestaurantID: String] = [:]
    var (unique, problems): ([RestaurantLint.Entry], [DraftProblems]) = ([], [])
    for place in places {
      let id = place.restaurant.id
      if let other = first[id] {
        problems.append(DraftProblems(place: place.place, problems: ["\(id) is the id of \(other), too"]))
      } else {
        first[id] = place.place
        unique.append(place)
      }
    }
    return (unique, problems)
  }
}

/// In which form restaurants are read and written.
nonisolated package enum RestaurantFormat: String, CaseIterable, ArgumentValue {
  case csv, json

  /// A few hundred thousand restaurants with all that is known of them.
  static let bytesMax = 512 << 20

  /// What a file is, by its first byte.
  package init(of bytes: [UInt8]) {
    let first = bytes.withoutByteOrderMark.withoutCallback.first { $0 > 0x20 && $0 < 0x80 }
    self = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .csv
  }

  package func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    switch self {
    case .csv: try RestaurantTable.read(Charset.utf8(bytes), named: name)
    case .json: try RestaurantJSON.read(bytes, named: name)
    }
  }

  func write(_ restaurants: [Restaurant]) -> String {
    switch self {
    case .csv: RestaurantTable.write(restaurants)
    case .json: RestaurantJSON.write(restaurants)
    }
  }
}
