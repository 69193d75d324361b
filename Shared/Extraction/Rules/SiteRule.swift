/// How to read one site: selectors for days, films and shows, as a file that people write (`site-rule-1`).
///
/// The reader of pages needs none of it. A rule is for pages that it misreads, or that should be read in exactly one way.
package struct SiteRule: Sendable, Hashable {
  package var site: String
  package var cinema: String
  /// A zone's name: `Asia/Seoul`.
  package var zone: String
  /// A platform's adapter with its parameters, instead of selectors.
  package var adapter: String?
  package var parameters: [String: String] = [:]
  /// Addresses to fetch; `{date:yyyy-MM-dd}` and `{date:yyyyMMdd}` stand for a day.
  package var start: [String] = []
  /// Readers that are asked before the selectors.
  package var prefer: [EvidenceReader] = []
  package var days: Days?
  package var films: Films?
  package var schedule = Schedule()
  package var expect = Expectations()
  /// Pages that were saved, and what they hold: `page.html → page.expected.json`.
  package var fixtures: [String] = []

  package init(site: String, cinema: String, zone: String) {
    self.site = site
    self.cinema = cinema
    self.zone = zone
  }

  /// What tells the date of what follows it, or of what is inside it.
  package struct Days: Sendable, Hashable {
    package var each: String
    package var date: Field
    package var closed: Field?
    /// What a date speaks of: all that follows up to the next one, or the cells below it.
    package var scope: Scope = .following

    package enum Scope: String, Sendable, Hashable, CaseIterable {
      case following, column
    }
  }

  package struct Films: Sendable, Hashable {
    package var each: String
    package var title: Field
    package var notes: Field?
    /// Shows stand inside the film's element, or behind it up to the next film.
    package var scope: Scope = .inside
    package var shows: Shows

    package enum Scope: String, Sendable, Hashable, CaseIterable {
      case inside, following
    }
  }

  package struct Shows: Sendable, Hashable {
    package var each: String
    package var time: Field
    /// Where the show tells its date itself.
    package var date: Field?
    package var screen: Field?
    package var booking: Field?
    package var soldOut: Field?
    /// Words beside the time: "GV", "35mm".
    package var notes: Field?
  }

  /// Where a value stands, seen from an element.
  package struct Field: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
      /// The text of what a selector finds; of the element itself where it is empty.
      case text(String)
      /// `a@href`, `@data-date`
      case attribute(selector: String, name: String)
      case hasClass(String)
    }

    package enum Parse: String, Sendable, Hashable, CaseIterable {
      /// As it is.
      case plain
      /// Times up to 29:59, one or several.
      case clock30
      case date
      /// The words that are neither date nor time.
      case words
    }

    package var source: Source
    package var parse: Parse = .plain
    /// All that match, not the first.
    package var isAll = false
    /// An address, made absolute.
    package var isResolved = false

    package init(_ source: Source, parse: Parse = .plain) {
      self.source = source
      self.parse = parse
    }
  }

  package struct Schedule: Sendable, Hashable {
    /// `6h`, `90m`
    package var every: String?
    package var todayEvery: String?
    package var windowDays: Int?
    /// `8-22`: when the site may be visited, in the venue's zone.
    package var hours: String?
  }

  package struct Expectations: Sendable, Hashable {
    package var showtimesPerOpenDayMin: Int?
    package var matchRatioMin: Double?
    package var showtimesMin: Int?
    package var screenRatioMin: Double?
    package var dropMax: Double?
    /// Whether a reading is held against what was published lately.
    package var habits: Bool?
  }
}

/// What is wrong with a rule file, all of it.
package struct SiteRuleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence each, with where it is.
  package var problems: [String]

  package var description: String { problems.joined(separator: "; ") }
}
