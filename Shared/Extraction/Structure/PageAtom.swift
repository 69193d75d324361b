import Calendars

/// The smallest parts of a page that mean something to a programme: dates, times, both, or words.
struct PageAtom {
  enum Kind {
    /// A day, or several.
    case date([PrintedDays])
    /// A date that contradicts itself: what stands under it has no date.
    case badDate(PrintedAlarm)
    /// Times without a date.
    case times([PrintedTime])
    /// Dates and times of one line.
    case both
    /// A start that is complete, from an attribute.
    case moment(PartialMoment)
    /// `November 2026`, for days without a month.
    case month(year: Int?, month: Int)
    /// A day of a month that stands elsewhere.
    case dayNumber(Int)
    case words
  }

  var kind: Kind
  /// Of the element or text in the tree.
  let place: Int
  let text: String
  var line: PrintedLine?
  /// From an attribute of an element whose content it is about, not from its text.
  var isOfContent = false
  /// "Week of November 23": the seven days from it on.
  var opensWeek = false
  /// Its time is said once for all films.
  var hasCommonHour = false
  /// One film of several in its line, title and all.
  var isApart = false
  /// It stands where the records beside its own have their titles, whatever it looks like: "11:14", "8½", "Gallery".
  var isTitle = false

  var isTime: Bool {
    switch kind {
    case .times, .both, .moment: true
    default: false
    }
  }

  var isDate: Bool {
    switch kind {
    case .date, .badDate, .dayNumber: true
    default: false
    }
  }

  var isWords: Bool { if case .words = kind { true } else { false } }
}

extension PrintedTime {
  /// "20.15": a time as some pages write it, and a price as others do.
  var isDotted: Bool {
    text.utf8.contains(UInt8(ascii: ".")) && text.utf8.allSatisfy { isDigitByte($0) || $0 == UInt8(ascii: ".") }
  }

  /// "20.15", "18.00": there is no such month, and no ticket that is as dear.
  var isPlainlyDotted: Bool { isDotted && start.hour >= 17 && (start.minute == 0 || start.minute > 12) }
}

extension PageTree {
  /// Where "Past screenings" heads what is over.
  func archive(of atoms: [PageAtom]) -> Int? {
    atoms.first { atom in
      atom.isWords && atom.text.utf8.count <= Self.archiveBytesMax && PageWords.opensArchive(atom.text)
        && path(atom.place).prefix(3).contains { ["h1", "h2", "h3", "h4"].contains(self[$0].tag) }
    }?.place
  }

  private static let archiveBytesMax = 80
}
