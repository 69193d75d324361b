/// Where a page is from, as far as words mean something else there.
struct PrintedRegion {
  enum Language: Hashable {
    case bosnian, croatian, czech, danish, dutch, estonian, finnish, french, german, hungarian, italian, japanese
    case latvian, lithuanian, macedonian, norwegian, polish, portuguese, romanian, serbian, slovak, slovene, spanish,
      swedish
    case turkish, vietnamese
  }

  let language: Language?
  /// German or Dutch is printed.
  let isGermanic: Bool
  var isCzech: Bool { language == .czech || language == .slovak }
  var isJapanese: Bool { language == .japanese }
  var hasRomanMonths: Bool { isSlavic || language == .hungarian || language == .romanian }
  var isSlavic: Bool { language.map(Self.slavic.contains) ?? false }
  private static let slavic: Set<Language> = [
    .bosnian, .croatian, .czech, .macedonian, .polish, .serbian, .slovak, .slovene,
  ]
  private let weekdays: [UInt64: Weekday]

  init(zone: String) {
    language = PrintedRegion.languages[zone]
    isGermanic = PrintedRegion.germanic.contains(zone)
    weekdays = language.flatMap { Self.shortWeekdays[$0] } ?? [:]
  }

  /// The weekday that a short word is there: "ke" is a Wednesday in Finland, "qui" a Thursday in Portugal.
  ///
  /// - Parameter word: folded.
  func weekday(_ word: some Collection<UInt32>) -> Weekday? {
    weekdays.isEmpty || word.count > Self.packedMax ? nil : weekdays[Self.packed(word)]
  }

  /// Whether a word that is a weekday elsewhere joins others there: "ve 20:30", "do 20:30", "za 5 minut".
  ///
  /// - Parameter word: folded.
  func joinsWords(_ word: some Collection<UInt32>) -> Bool {
    guard word.count == 2, let language, let words = Self.joints[language] else { return false }
    return words.contains(Self.packed(word))
  }

  private static let joints: [Language: Set<UInt64>] = {
    let joints: [Language: String] = [
      .czech: "ve do za je", .slovak: "vo do za je", .polish: "we do za", .slovene: "do za je ve",
      .croatian: "do za je",
      .bosnian: "do za je", .serbian: "do za je", .macedonian: "do za je so", .portuguese: "do me",
    ]
    return joints.mapValues { words in
      Set(words.split(separator: " ").map { packed($0.unicodeScalars.map(\.value)) })
    }
  }()

  /// "18 óra", "18 val.": whether a folded word counts hours there.
  func countsHours(_ word: some Collection<UInt32>) -> Bool {
    switch language {
    case .hungarian: word.elementsEqual("ora".unicodeScalars.map(\.value))
    case .lithuanian: word.elementsEqual("val".unicodeScalars.map(\.value))
    default: false
    }
  }

  private static let packedMax = 5

  private static func packed(_ word: some Collection<UInt32>) -> UInt64 {
    word.reduce(0) { $0 << 8 | UInt64($1 & 0xFF) | ($1 > 0x7F ? 1 << 63 : 0) }
  }

  /// From Monday on; what is written in several ways with strokes between. Folded.
  private static let shortWeekdays: [Language: [UInt64: Weekday]] = {
    let southern = "pon uto/ut sri/sre cet pet sub ned"
    let northern = "man tir/tirs ons tor/tors fre lor son"
    let weeks: [Language: String] = [
      .bosnian: southern, .croatian: southern, .serbian: southern, .slovene: "pon tor sre cet pet sob ned",
      .danish: northern, .norwegian: northern, .swedish: "man tis ons tor/tors fre lor son",
      .finnish: "ma ti ke to pe la su", .german: "mo di mi do fr sa so", .dutch: "ma di wo/woe do vr/vrij za zo",
      .polish: "pn/pon wt sr czw/cz pt sob/so nd/ndz/niedz", .hungarian: "het/hetf ke/kedd sze csut/csu pen szo vas",
      .portuguese: "seg ter qua qui sex sab dom", .romanian: "lun/lu ma mie/mi joi/jo vin/vi sam/sa dum/du",
      .french: "lu ma me je ve sa di", .italian: "lu ma me gi ve sa do", .spanish: "lu ma mi ju vi sa do",
      .turkish: "pzt/pts sal car per cum cmt/cts paz",
    ]
    return weeks.mapValues { week in
      var found: [UInt64: Weekday] = [:]
      for (day, words) in week.split(separator: " ").enumerated() {
        for word in words.split(separator: "/") {
          found[packed(word.unicodeScalars.map(\.value))] = Weekday.monday.adding(days: day)
        }
      }
      return found
    }
  }()

  private static let languages: [String: Language] = [
    "Europe/Zagreb": .croatian, "Europe/Sarajevo": .bosnian, "Europe/Belgrade": .serbian,
    "Europe/Podgorica": .serbian, "Europe/Ljubljana": .slovene, "Europe/Skopje": .macedonian,
    "Europe/Riga": .latvian, "Europe/Vilnius": .lithuanian, "Europe/Istanbul": .turkish, "Asia/Tokyo": .japanese,
    "Europe/Prague": .czech,
    "Europe/Bratislava": .slovak, "Europe/Budapest": .hungarian, "Europe/Tallinn": .estonian,
    "Asia/Ho_Chi_Minh": .vietnamese,
    "Europe/Bucharest": .romanian, "Europe/Chisinau": .romanian,
    "Europe/Oslo": .norwegian, "Europe/Copenhagen": .danish, "Europe/Stockholm": .swedish, "Europe/Helsinki": .finnish,
    "Europe/Berlin": .german, "Europe/Vienna": .german, "Europe/Vaduz": .german, "Europe/Amsterdam": .dutch,
    "Europe/Paris": .french, "Europe/Rome": .italian, "Europe/Madrid": .spanish, "Atlantic/Canary": .spanish,
    "Europe/Warsaw": .polish, "Europe/Lisbon": .portuguese, "Atlantic/Azores": .portuguese,
    "Atlantic/Madeira": .portuguese, "America/Sao_Paulo": .portuguese, "America/Bahia": .portuguese,
    "America/Recife": .portuguese, "America/Fortaleza": .portuguese, "America/Manaus": .portuguese,
    "America/Belem": .portuguese, "America/Cuiaba": .portuguese,
  ]

  private static let germanic: Set<String> = [
    "Europe/Amsterdam", "Europe/Berlin", "Europe/Brussels", "Europe/Luxembourg", "Europe/Vaduz", "Europe/Vienna",
    "Europe/Zurich",
  ]
}
