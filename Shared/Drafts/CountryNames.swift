/// Countries as people write them where a code is wanted.
enum CountryNames {
  /// The two letters of a country's name in English, in its own language, or as three letters; nil of others.
  static func code(of name: String) -> String? { codes[name.lowercased().filter { $0 != "." }] }

  private static let codes: [String: String] = {
    var codes: [String: String] = [:]
    for line in names {
      for name in line.names.split(separator: "|") { codes[String(name)] = line.code }
    }
    return codes
  }()

  private static let names: [(code: String, names: String)] = [
    ("AR", "argentina|arg"), ("AT", "austria|österreich|aut"), ("AU", "australia|aus"),
    ("BE", "belgium|belgië|belgique|belgien|bel"), ("BR", "brazil|brasil|bra"), ("CA", "canada|can"),
    ("CH", "switzerland|schweiz|suisse|svizzera|che"), ("CL", "chile|chl"), ("CN", "china|中国|chn"),
    ("CO", "colombia|col"), ("CZ", "czechia|czech republic|česko|česká republika|cze"),
    ("DE", "germany|deutschland|deu"), ("DK", "denmark|danmark|dnk"), ("ES", "spain|españa|esp"),
    ("FI", "finland|suomi|fin"), ("FR", "france|fra"),
    ("GB", "united kingdom|great britain|england|scotland|wales|northern ireland|uk|gbr"),
    ("GR", "greece|ελλάδα|grc"), ("HK", "hong kong|香港|hkg"), ("HU", "hungary|magyarország|hun"),
    ("IE", "ireland|éire|irl"), ("IL", "israel|ישראל|isr"), ("IN", "india|ind"), ("IT", "italy|italia|ita"),
    ("JP", "japan|日本|jpn"), ("KR", "south korea|korea|republic of korea|대한민국|한국|kor"),
    ("LU", "luxembourg|luxemburg|lux"), ("MX", "mexico|méxico|mex"),
    ("NL", "netherlands|the netherlands|nederland|nld"), ("NO", "norway|norge|nor"), ("NZ", "new zealand|nzl"),
    ("PE", "peru|perú|per"), ("PL", "poland|polska|pol"), ("PT", "portugal|prt"),
    ("SE", "sweden|sverige|swe"), ("SG", "singapore|sgp"), ("TR", "turkey|türkiye|tur"), ("TW", "taiwan|臺灣|台灣|twn"),
    ("UA", "ukraine|україна|ukr"),
    ("US", "united states|united states of america|usa"), ("ZA", "south africa|zaf"),
  ]
}
