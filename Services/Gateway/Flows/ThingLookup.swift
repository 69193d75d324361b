import Contracts
import RPC

/// Asks whoever knows it whether there is what somebody likes or reports.
struct ThingLookup {
  let shelf: CinemaShelf
  let films: any RPCClient<FilmsAPI>
  let dining: any RPCClient<DiningAPI>
  let radio: any RPCClient<RadioAPI>

  enum Standing: Equatable {
    case known
    /// It was there, and another is in its place.
    case replaced(by: String)
    case nobodys
  }

  /// While who knows is away or cannot tell, whoever asks is believed, and so are ids of kinds of which nobody tells by
  /// the id alone: what people want to keep or to say matters more than one wrong id.
  func standing(of kind: ItemKind, _ id: String, _ asking: Asking) async throws -> Standing {
    do {
      return try await answer(kind, id, asking)
    } catch let error as RPCError where !error.isGivenUp {
      return .known
    }
  }

  private func answer(_ kind: ItemKind, _ id: String, _ asking: Asking) async throws -> Standing {
    let options = asking.optionsForExtras
    switch kind {
    case .cinema:
      guard let cinema = CinemaID(id) else { return .nobodys }
      return try await standing(of: cinema, options)
    case .restaurant:
      var request = RestaurantsByID(ids: [RestaurantID(id)].compactMap { $0 }, now: asking.now)
      request.asker = asking.guideAsker
      let page = try await dining.call(request, options)
      return page.places.isEmpty && page.guide.hasAnswered ? .nobodys : .known
    case .station:
      let found = try await radio.call(StationsByID(ids: [StationID(id)].compactMap { $0 }), options)
      return found.isEmpty ? .nobodys : .known
    case .person:
      guard let person = PersonID(id) else { return .nobodys }
      do throws(RPCError) {
        _ = try await films.call(PersonByID(id: person), options)
      } catch {
        guard error.code == .notFound else { throw error }
        return .nobodys
      }
      return .known
    case .film, .festival, .session, .unknown: return .known
    }
  }

  private func standing(of id: CinemaID, _ options: CallOptions) async throws -> Standing {
    if try await shelf.cinema(id, options) != nil { return .known }
    guard let former = try await shelf.formerCinema(id, options) else { return .nobodys }
    return former.replacedBy.map { .replaced(by: $0.text) } ?? .known
  }
}

nonisolated extension GuideState {
  /// What it does not tell is not there.
  fileprivate var hasAnswered: Bool {
    switch kind {
    case .none, .fresh, .refused: true
    case .loading, .stale, .quota, .failed, .unknown: false
    }
  }
}
