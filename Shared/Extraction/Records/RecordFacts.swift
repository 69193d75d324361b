import Calendars

/// What the fields of one record say, as far as their names tell.
struct RecordFacts {
  struct Start {
    var rank: Int
    var moment: PartialMoment
  }

  var starts: [Start] = []
  var ends: [PartialMoment] = []
  /// A start that cannot be read.
  var unreadStart: String?
  /// Its end is in a year that nobody plans for: it is open for good.
  var endsFar = false
  /// Days that are listed beside a start: it is that of each.
  var dates: [CivilDate] = []
  var title: (rank: Int, text: String)?
  /// A short text that is called a description: some platforms call what is shown so.
  var described: String?
  var summary: String?
  /// Of a film inside the record or one that it names.
  var filmTitle: String?
  /// What a record is called that has the same number as this one.
  var joined: String?
  /// Of several films that are shown together.
  var bill: String?
  var venue: String?
  /// What its address calls the place.
  var addressName: String?
  /// Who shows it, named by a number: the venue where nothing else is.
  var organizer: String?
  var screen: String?
  /// What programs call the screen, where it has no name.
  var screenCode: String?
  /// The last of several starts, of which only the first and this one are told.
  var lastStart: PartialMoment?
  var isOfSeveral = false
  var url: String?
  var id: String?
  var isSoldOut = false
  var isCancelled = false
  /// Why it is not to be told, by its own words: it is a draft, its time is open.
  var withheld: String?
  /// Seen at home, not in a house.
  var isVirtual = false
  /// It says whether it is sold out or cancelled, whatever it says: what has that can be gone to.
  var tellsStatus = false
  var seatsLeft: Int?
  var notes: [String] = []
  var minutes: Int?
  var zone: String?
  /// A day of a month that is not said, and the weekday beside it.
  var dayNumber: Int?
  var weekday: String?
  /// It says where it lies: a street, a town.
  var hasAddress = false
  /// Something in it is of films, not of talks or concerts.
  var isOfFilm = false

  /// Signs that a record is a screening and not just anything with a time.
  var clues: Int {
    (filmTitle != nil || bill != nil ? 2 : 0) + (screen != nil ? 1 : 0) + (venue != nil ? 1 : 0)
      + (seatsLeft != nil ? 1 : 0)
      + (ends.isEmpty ? 0 : 1) + (minutes != nil ? 1 : 0) + (url != nil ? 1 : 0) + (isSoldOut || tellsStatus ? 1 : 0)
  }

  var date: CivilDate? {
    for start in starts {
      switch start.moment {
      case .date(let date): return date
      case .local(let local) where local.time == .midnight: return local.date
      default: continue
      }
    }
    return nil
  }
}
