import Calendars
import Clocks
import HTML

/// When a page says of itself that it was written, or written anew.
struct WrittenAt {
  /// The first is when it was written.
  private let stamps: [String]

  init(_ page: HTMLDocument) {
    stamps = [
      page.first("meta[property='article:published_time']")?["content"],
      page.first("meta[itemprop=datePublished]")?["content"], page.first("time[itemprop=datePublished]")?["datetime"],
      page.first("meta[property='article:modified_time']")?["content"],
    ].compactMap { $0?.trimmedText }
  }

  var day: CivilDate? { stamps.lazy.compactMap { CivilDate(String($0.prefix(Self.dayBytes))) }.first }

  /// Whether something is said to begin in the very minute: that is the article's own time, printed under its headline.
  /// What is yet to come was not written: some sites date a page by what it announces.
  func isMinute(of start: FoundTime, capturedAt: WallTime) -> Bool {
    guard let instant = start.instant, instant <= capturedAt else { return false }
    return stamps.contains { stamp in
      Timestamp(stamp).map { $0.instant.milliseconds / Self.minute == instant.milliseconds / Self.minute } ?? false
    }
  }

  private static let dayBytes = 10
  private static let minute: Int64 = 60_000
}
