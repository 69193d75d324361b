/// In which of several languages a text is read: that of the page before those of the place.
enum SpokenLanguages {
  /// Those of the country that a zone is of, the commonest first; none where all or nobody speaks English.
  static func of(zone: String) -> [String] { spoken[zone] ?? [] }

  /// "nb" of "nb-NO".
  static func code(_ tag: String) -> String? {
    let code = tag.trimmedText.lowercased().prefix { $0 >= "a" && $0 <= "z" }
    return (2...3).contains(code.utf8.count) ? String(code) : nil
  }

  private static let spoken: [String: [String]] = {
    var spoken: [String: [String]] = [:]
    for (languages, zones) in zones {
      let languages = languages.split(separator: " ").map(String.init)
      for zone in zones.split(separator: " ") { spoken[String(zone)] = languages }
    }
    return spoken
  }()

  private static let zones = [
    ("de", "Europe/Berlin Europe/Vienna Europe/Vaduz Europe/Busingen"), ("de fr it rm", "Europe/Zurich"),
    ("fr", "Europe/Paris Europe/Monaco"), ("nl fr de", "Europe/Brussels"), ("nl", "Europe/Amsterdam"),
    ("fr de lb", "Europe/Luxembourg"), ("it", "Europe/Rome Europe/San_Marino Europe/Vatican"),
    ("es ca gl eu", "Europe/Madrid Africa/Ceuta Atlantic/Canary"), ("ca es", "Europe/Andorra"),
    ("pt", "Europe/Lisbon Atlantic/Azores Atlantic/Madeira America/Sao_Paulo America/Bahia America/Recife"),
    ("pt", "America/Fortaleza America/Manaus America/Belem America/Cuiaba"), ("da", "Europe/Copenhagen"),
    ("nb no nn", "Europe/Oslo"), ("sv", "Europe/Stockholm"), ("fi sv", "Europe/Helsinki Europe/Mariehamn"),
    ("is", "Atlantic/Reykjavik"), ("et", "Europe/Tallinn"), ("lv", "Europe/Riga"), ("lt", "Europe/Vilnius"),
    ("pl", "Europe/Warsaw"), ("cs cz", "Europe/Prague"), ("sk", "Europe/Bratislava"), ("hu", "Europe/Budapest"),
    ("sl si", "Europe/Ljubljana"), ("hr", "Europe/Zagreb"), ("bs hr sr", "Europe/Sarajevo"),
    ("sr", "Europe/Belgrade"), ("mk", "Europe/Skopje"), ("bg", "Europe/Sofia"),
    ("ro", "Europe/Bucharest Europe/Chisinau"), ("el gr", "Europe/Athens Asia/Nicosia"), ("tr", "Europe/Istanbul"),
    ("uk ua", "Europe/Kyiv Europe/Kiev"), ("ru", "Europe/Moscow"), ("he iw", "Asia/Jerusalem Asia/Tel_Aviv"),
    ("ko kr", "Asia/Seoul"), ("ja jp", "Asia/Tokyo"), ("zh cn", "Asia/Shanghai"), ("zh tw", "Asia/Taipei"),
    ("zh hk", "Asia/Hong_Kong"), ("th", "Asia/Bangkok"), ("vi vn", "Asia/Ho_Chi_Minh"), ("id", "Asia/Jakarta"),
    ("es", "America/Mexico_City America/Bogota America/Lima America/Santiago America/Argentina/Buenos_Aires"),
    ("es", "America/Montevideo America/Caracas"),
  ]
}
