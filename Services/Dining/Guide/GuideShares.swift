import Calendars
import Contracts

/// Who asked the guide how often today. One client gets a tenth of the day's questions, and strangers together leave a
/// quarter to those who have been here before.
///
/// The counts are of this life of the service; how many questions there were in all is kept with the restaurants.
nonisolated struct GuideShares {
  private let share: Int
  private let forStrangers: Int
  private var day: CivilDate?
  /// There are at most twice as many as questions in a day.
  private var used: [Client: Int] = [:]
  private var ofStrangers = 0

  private enum Client: Hashable {
    case network(String)
    case user(UserID)
  }

  init(perDay: Int) {
    share = max(perDay / 10, 1)
    forStrangers = max(perDay - perDay / 4, 1)
  }

  /// Counts a question. False if whoever asks has had their share of the day's.
  mutating func take(_ asker: GuideAsker?, on today: CivilDate) -> Bool {
    guard let asker else { return true }
    if day != today { (day, used, ofStrangers) = (today, [:], 0) }
    let clients = [asker.network.map(Client.network), asker.user.map(Client.user)].compactMap(\.self)
    guard clients.allSatisfy({ used[$0, default: 0] < share }) else { return false }
    if asker.user == nil {
      guard ofStrangers < forStrangers else { return false }
      ofStrangers += 1
    }
    for client in clients { used[client, default: 0] += 1 }
    return true
  }
}
