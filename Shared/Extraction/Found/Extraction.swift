package import Calendars
package import Clocks

/// What one page or feed says about what is shown when: screenings, what could not be read, and how it was found.
package struct Extraction: Sendable {
  /// In the order of their starts.
  package var screenings: [FoundScreening] = []
  /// What looks like a screening and is not told as one, with the reason.
  package var unread: [Unread] = []
  /// Days on which the page says that nothing is shown.
  package var closedDays: Set<CivilDate> = []
  /// Why there is none, if there is none.
  package var reason: String?
  /// It is not what it says that it is: broken JSON, say.
  package var isBroken = false
  /// Of the page as a whole: how sure the readers are, and whether they agree. 0 where nothing was found.
  package var confidence = 0.0
  /// The venue that the page says it is about.
  package var pageVenue: String?
  package var trace = ExtractionTrace()

  package init() {}
}

/// One screening, or another event, as a page tells it.
package struct FoundScreening: Hashable, Sendable {
  /// As printed, marks included.
  package var title: String
  /// The film's own name as far as it can be told: `PrintedTitle` of the title.
  package var filmTitle: String
  /// What the page calls the film besides: its title in another language.
  package var otherTitles: [String] = []
  package var start: FoundTime
  package var end: FoundTime?
  /// What the page prints where that is no time of the day: `24:30`.
  package var printedTime: ServiceTime?
  /// The day was not printed for this time: a bare 00:30 under a date is of the night after it.
  package var isInferred = false
  package var venue: String?
  package var screen: String?
  /// Where to book or to read more, absolute.
  package var url: String?
  /// The source's own name for this screening.
  package var bookingID: String?
  package var attributes: Set<ScreeningAttribute> = []
  /// Words beside it that mean nothing to us and may to a reader.
  package var notes: [String] = []
  package var seats: PrintedMarks.Seats?
  package var kind: Kind
  /// The readers that saw it, the most trusted first.
  package var foundBy: [EvidenceReader]
  /// 0 to 1: the share of such finds that should turn out to be right.
  package var confidence: Double

  package enum Kind: String, Hashable, Sendable, Codable {
    case screening, event
  }
}

/// When something starts or ends: an instant, or a whole day.
package enum FoundTime: Hashable, Sendable, CustomStringConvertible {
  case day(CivilDate)
  case moment(Timestamp)

  /// `2026-11-24T00:30:00+09:00`, or `2026-11-24` for a whole day.
  package var description: String {
    switch self {
    case .day(let date): date.description
    case .moment(let stamp): stamp.description
    }
  }

  package var instant: WallTime? {
    if case .moment(let stamp) = self { stamp.instant } else { nil }
  }

  /// The calendar's date where it takes place.
  package var date: CivilDate {
    switch self {
    case .day(let date): date
    case .moment(let stamp): stamp.local.date
    }
  }
}

extension FoundTime: Comparable {
  package static func < (left: FoundTime, right: FoundTime) -> Bool { left.order < right.order }

  /// A whole day stands before what begins on it.
  private var order: (Int64, Int) {
    switch self {
    case .day(let date): (Int64(date.daysSince1970) * 86_400_000, 0)
    case .moment(let stamp): (stamp.instant.milliseconds, 1)
    }
  }
}

/// Something that looks like a screening and is not told as one.
package struct Unread: Hashable, Sendable {
  /// What is printed there.
  package var what: String
  /// A sentence.
  package var why: String

  package init(what: String, why: String) {
    self.what = what
    self.why = why
  }
}

/// A kind of evidence on a page.
package enum EvidenceReader: String, Hashable, Sendable, Codable, CaseIterable {
  case jsonLD = "json-ld"
  case microdata
  case rdfa
  case calendar = "icalendar"
  /// JSON that a page carries for its own scripts.
  case state
  /// A document that is JSON itself.
  case api = "json"
  case xml
  case html
  case rule
}
