/// What programs write where a zone's name belongs.
package enum ZoneAlias: Hashable, Sendable {
  /// One of the database's names, by name or through one of the tables below.
  case name(ZoneName)
  /// Only an offset: right today, wrong on the other side of a change of the clocks.
  case offset(UTCOffset)

  /// Reads, in this order: `Asia/Seoul`, also in quotes and behind a vendor's path (`/citadel.org/20250101/Asia/Seoul`);
  /// `Korea Standard Time`, as Windows and Outlook have it; `UTC`, `Z`; `GMT+0900`, `(UTC+09:00) Seoul`.
  ///
  /// Nil for everything else, three-letter abbreviations among it: IST is India, Ireland and Israel.
  package init?(_ text: String) {
    guard text.utf8.count <= ZoneAlias.bytesMax else { return nil }
    let trimmed = String(text.drop(while: ZoneAlias.isPadding).reversed().drop(while: ZoneAlias.isPadding).reversed())
    if let name = ZoneAlias.known[trimmed.lowercased()].flatMap(ZoneName.init) {
      self = .name(name)
    } else if let offset = ZoneAlias.offset(in: trimmed) {
      self = .offset(offset)
    } else if let name = ZoneName(trimmed), ZoneAlias.canBeOfTheDatabase(name) {
      self = .name(name)
    } else if let name = ZoneAlias.lastParts(of: trimmed) {
      self = .name(name)
    } else {
      return nil
    }
  }

  private static let bytesMax = 200

  private static func isPadding(_ character: Character) -> Bool { character.isWhitespace || character == "\"" }

  /// `EST` and `MST` are names of the database, but whoever writes them means something else half of the year.
  private static func canBeOfTheDatabase(_ name: ZoneName) -> Bool { name.text.utf8.count > 3 }

  /// The last two or three parts of a path: `/mozilla.org/20050126_1/America/Argentina/Ushuaia`.
  private static func lastParts(of text: String) -> ZoneName? {
    let parts = text.split(separator: "/")
    guard parts.count > 2 else { return nil }
    let areas: Set<Substring> = [
      "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
      "Etc",
    ]
    for count in [3, 2] where parts.count > count {
      let tail = parts.suffix(count)
      if let area = tail.first, areas.contains(area) { return ZoneName(tail.joined(separator: "/")) }
    }
    return nil
  }

  /// `GMT+0900`, `UTC-03:30`, `+09:00`, `(UTC+09:00) Seoul`. Not `Etc/GMT-9`, whose sign is the other way round.
  private static func offset(in text: String) -> UTCOffset? {
    var rest = text[...]
    let isLabelled = rest.first == "("
    if isLabelled {
      guard let end = rest.firstIndex(of: ")") else { return nil }
      rest = rest[rest.index(after: rest.startIndex)..<end]
    }
    for prefix in ["UTC", "GMT"] where rest.hasPrefix(prefix) { rest = rest.dropFirst(3) }
    if rest.isEmpty { return isLabelled ? .zero : nil }
    guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
    // A single digit of hours, and Outlook's old full stop.
    var digits = rest.dropFirst().replacing(".", with: ":")
    if digits.count == 1 || digits.dropFirst().first == ":" { digits = "0" + digits }
    return UTCOffset("\(sign)\(digits)")
  }

  private static let known: [String: String] = {
    var table = ["z": "UTC", "utc": "UTC", "gmt": "UTC", "etc/utc": "UTC"]
    for line in windows.split(separator: "\n") {
      let sides = line.split(separator: "=")
      table[sides[0].lowercased()] = String(sides[1])
    }
    return table
  }()

  /// Windows' names and the zone each stands for where no country is given (Unicode CLDR, territory 001).
  private static let windows = """
    Dateline Standard Time=Etc/GMT+12
    UTC-11=Etc/GMT+11
    Aleutian Standard Time=America/Adak
    Hawaiian Standard Time=Pacific/Honolulu
    Marquesas Standard Time=Pacific/Marquesas
    Alaskan Standard Time=America/Anchorage
    UTC-09=Etc/GMT+9
    Pacific Standard Time (Mexico)=America/Tijuana
    UTC-08=Etc/GMT+8
    Pacific Standard Time=America/Los_Angeles
    US Mountain Standard Time=America/Phoenix
    Mountain Standard Time (Mexico)=America/Mazatlan
    Mountain Standard Time=America/Denver
    Yukon Standard Time=America/Whitehorse
    Central America Standard Time=America/Guatemala
    Central Standard Time=America/Chicago
    Easter Island Standard Time=Pacific/Easter
    Central Standard Time (Mexico)=America/Mexico_City
    Canada Central Standard Time=America/Regina
    SA Pacific Standard Time=America/Bogota
    Eastern Standard Time (Mexico)=America/Cancun
    Eastern Standard Time=America/New_York
    Haiti Standard Time=America/Port-au-Prince
    Cuba Standard Time=America/Havana
    US Eastern Standard Time=America/Indianapolis
    Turks And Caicos Standard Time=America/Grand_Turk
    Paraguay Standard Time=America/Asuncion
    Atlantic Standard Time=America/Halifax
    Venezuela Standard Time=America/Caracas
    Central Brazilian Standard Time=America/Cuiaba
    SA Western Standard Time=America/La_Paz
    Pacific SA Standard Time=America/Santiago
    Newfoundland Standard Time=America/St_Johns
    Tocantins Standard Time=America/Araguaina
    E. South America Standard Time=America/Sao_Paulo
    SA Eastern Standard Time=America/Cayenne
    Argentina Standard Time=America/Buenos_Aires
    Greenland Standard Time=America/Godthab
    Montevideo Standard Time=America/Montevideo
    Magallanes Standard Time=America/Punta_Arenas
    Saint Pierre Standard Time=America/Miquelon
    Bahia Standard Time=America/Bahia
    UTC-02=Etc/GMT+2
    Azores Standard Time=Atlantic/Azores
    Cape Verde Standard Time=Atlantic/Cape_Verde
    GMT Standard Time=Europe/London
    Greenwich Standard Time=Atlantic/Reykjavik
    Sao Tome Standard Time=Africa/Sao_Tome
    Morocco Standard Time=Africa/Casablanca
    W. Europe Standard Time=Europe/Berlin
    Central Europe Standard Time=Europe/Budapest
    Romance Standard Time=Europe/Paris
    Central European Standard Time=Europe/Warsaw
    W. Central Africa Standard Time=Africa/Lagos
    Jordan Standard Time=Asia/Amman
    GTB Standard Time=Europe/Bucharest
    Middle East Standard Time=Asia/Beirut
    Egypt Standard Time=Africa/Cairo
    E. Europe Standard Time=Europe/Chisinau
    Syria Standard Time=Asia/Damascus
    West Bank Standard Time=Asia/Hebron
    South Africa Standard Time=Africa/Johannesburg
    FLE Standard Time=Europe/Kiev
    Israel Standard Time=Asia/Jerusalem
    South Sudan Standard Time=Africa/Juba
    Kaliningrad Standard Time=Europe/Kaliningrad
    Sudan Standard Time=Africa/Khartoum
    Libya Standard Time=Africa/Tripoli
    Namibia Standard Time=Africa/Windhoek
    Arabic Standard Time=Asia/Baghdad
    Turkey Standard Time=Europe/Istanbul
    Arab Standard Time=Asia/Riyadh
    Belarus Standard Time=Europe/Minsk
    Russian Standard Time=Europe/Moscow
    E. Africa Standard Time=Africa/Nairobi
    Volgograd Standard Time=Europe/Volgograd
    Iran Standard Time=Asia/Tehran
    Arabian Standard Time=Asia/Dubai
    Astrakhan Standard Time=Europe/Astrakhan
    Azerbaijan Standard Time=Asia/Baku
    Russia Time Zone 3=Europe/Samara
    Mauritius Standard Time=Indian/Mauritius
    Saratov Standard Time=Europe/Saratov
    Georgian Standard Time=Asia/Tbilisi
    Caucasus Standard Time=Asia/Yerevan
    Afghanistan Standard Time=Asia/Kabul
    West Asia Standard Time=Asia/Tashkent
    Ekaterinburg Standard Time=Asia/Yekaterinburg
    Pakistan Standard Time=Asia/Karachi
    Qyzylorda Standard Time=Asia/Qyzylorda
    India Standard Time=Asia/Kolkata
    Sri Lanka Standard Time=Asia/Colombo
    Nepal Standard Time=Asia/Kathmandu
    Central Asia Standard Time=Asia/Bishkek
    Bangladesh Standard Time=Asia/Dhaka
    Omsk Standard Time=Asia/Omsk
    Myanmar Standard Time=Asia/Rangoon
    SE Asia Standard Time=Asia/Bangkok
    Altai Standard Time=Asia/Barnaul
    W. Mongolia Standard Time=Asia/Hovd
    North Asia Standard Time=Asia/Krasnoyarsk
    N. Central Asia Standard Time=Asia/Novosibirsk
    Tomsk Standard Time=Asia/Tomsk
    China Standard Time=Asia/Shanghai
    North Asia East Standard Time=Asia/Irkutsk
    Singapore Standard Time=Asia/Singapore
    W. Australia Standard Time=Australia/Perth
    Taipei Standard Time=Asia/Taipei
    Ulaanbaatar Standard Time=Asia/Ulaanbaatar
    Aus Central W. Standard Time=Australia/Eucla
    Transbaikal Standard Time=Asia/Chita
    Tokyo Standard Time=Asia/Tokyo
    North Korea Standard Time=Asia/Pyongyang
    Korea Standard Time=Asia/Seoul
    Yakutsk Standard Time=Asia/Yakutsk
    Cen. Australia Standard Time=Australia/Adelaide
    AUS Central Standard Time=Australia/Darwin
    E. Australia Standard Time=Australia/Brisbane
    AUS Eastern Standard Time=Australia/Sydney
    West Pacific Standard Time=Pacific/Port_Moresby
    Tasmania Standard Time=Australia/Hobart
    Vladivostok Standard Time=Asia/Vladivostok
    Lord Howe Standard Time=Australia/Lord_Howe
    Bougainville Standard Time=Pacific/Bougainville
    Russia Time Zone 10=Asia/Srednekolymsk
    Magadan Standard Time=Asia/Magadan
    Norfolk Standard Time=Pacific/Norfolk
    Sakhalin Standard Time=Asia/Sakhalin
    Central Pacific Standard Time=Pacific/Guadalcanal
    Russia Time Zone 11=Asia/Kamchatka
    New Zealand Standard Time=Pacific/Auckland
    UTC+12=Etc/GMT-12
    Fiji Standard Time=Pacific/Fiji
    Chatham Islands Standard Time=Pacific/Chatham
    UTC+13=Etc/GMT-13
    Tonga Standard Time=Pacific/Tongatapu
    Samoa Standard Time=Pacific/Apia
    Line Islands Standard Time=Pacific/Kiritimati
    """
}
