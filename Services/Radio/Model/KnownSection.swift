/// A section that stations are listed in. Others may be made up: they come last, under their own names.
nonisolated package struct KnownSection: Hashable, Sendable {
  package let id: String
  package let name: String
  package let nameEnglish: String

  /// In the order in which they are shown.
  package static let all = [
    KnownSection(id: "national", name: "지상파", nameEnglish: "National"),
    KnownSection(id: "regional", name: "지역방송", nameEnglish: "Regional"),
    KnownSection(id: "speech", name: "전문방송", nameEnglish: "Special interest"),
    KnownSection(id: "music", name: "음악방송", nameEnglish: "Music"),
    KnownSection(id: "special", name: "특별방송", nameEnglish: "Special"),
    KnownSection(id: "bbc", name: "BBC", nameEnglish: "BBC"),
    KnownSection(id: "afn", name: "미군방송", nameEnglish: "AFN"),
    KnownSection(id: "film", name: "국제영화라디오", nameEnglish: "Film"),
    KnownSection(id: "cbs", name: "CBS", nameEnglish: "CBS"),
    KnownSection(id: "bbs", name: "BBS", nameEnglish: "BBS"),
    KnownSection(id: "febc", name: "극동방송", nameEnglish: "Far East Broadcasting"),
    KnownSection(id: "faith", name: "기타종교", nameEnglish: "Other faiths"),
    KnownSection(id: "traffic", name: "교통방송", nameEnglish: "Traffic"),
  ]

  /// Of stations that name none.
  package static let other = "other"

  private static let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) })

  package static func of(_ slug: String) -> KnownSection? { places[slug].map { all[$0] } }

  /// Where it stands among others; unknown ones behind all that are known.
  static func place(of slug: String) -> Int { places[slug] ?? all.count }

  /// The slug of a section by its slug or any of its names.
  package static func slug(_ text: String) -> String {
    let wanted = text.lowercased()
    return all.first {
      $0.id == wanted || $0.name.lowercased() == wanted || $0.nameEnglish.lowercased() == wanted
    }?.id ?? wanted
  }
}
