import Calendars
import Contracts
import Drafts
import TextSearch

/// Reads the fields of a draft one by one and remembers what is wrong.
package struct FilmCheck {
  let draft: FilmDraft
  private(set) var problems: [String] = []
  /// The fields that they are about.
  private(set) var odd: Set<FilmField> = []

  /// The longest ever shown in cinemas has some 14 days.
  static let minutes = 1...20_160
  /// Longer than any title; what is longer is a broken file.
  private static let bytesMax = 500
  static let synopsisBytes = 8_000
  /// People that are kept of a film: who reads further looks elsewhere.
  private static let listMax = 40
  /// Nobody watches more before they go.
  private static let videosMax = 6

  init(draft: FilmDraft) { self.draft = draft }

  /// - Parameter field: nil if without more nothing of the draft can be read.
  mutating func note(_ problem: String, about field: FilmField? = nil) {
    problems.append(problem)
    if let field { odd.insert(field) }
  }

  mutating func text(_ field: FilmField, bytesMax: Int = bytesMax) -> String? {
    guard let text = draft[field]?.trimmed, !text.isEmpty else { return nil }
    guard text.utf8.count <= bytesMax || field.isList else {
      note("\(field.rawValue) has \(text.utf8.count) bytes; at most \(bytesMax) are kept", about: field)
      return nil
    }
    let isBroken = text.unicodeScalars.contains {
      $0.properties.generalCategory == .control && !(field == .synopsis && $0 == "\n")
    }
    guard !isBroken else {
      note("\(field.rawValue) holds a control character", about: field)
      return nil
    }
    return text
  }

  mutating func optional<Value: LosslessStringConvertible>(_ field: FilmField, _ form: String) -> Value? {
    guard let text = text(field) else { return nil }
    guard let value = Value(text) else {
      note("\(field.rawValue) is \(text), not \(form)", about: field)
      return nil
    }
    return value
  }

  /// - Parameter year: set where nothing but a year is told.
  mutating func date(_ field: FilmField, year: inout Int?) -> CivilDate? {
    guard let text = text(field) else { return nil }
    let date: CivilDate
    switch PrintedDay(text) {
    case .day(let found): date = found
    case .year(let found):
      year = found
      return nil
    case .either, nil:
      guard let found: CivilDate = optional(field, CivilDate.form) else { return nil }
      date = found
    }
    guard Film.years.contains(date.year) else {
      note(
        "\(field.rawValue) is \(date); films are from \(Film.years.lowerBound) to \(Film.years.upperBound)",
        about: field)
      return nil
    }
    return date
  }

  mutating func number<Value: LosslessStringConvertible & Comparable>(
    _ field: FilmField, in range: ClosedRange<Value>
  ) -> Value? {
    guard let text = text(field) else { return nil }
    guard let number = Value(text) ?? Value(FilmNumber.plain(text, field)) else {
      note("\(field.rawValue) is \(text), not a number", about: field)
      return nil
    }
    guard range.contains(number) else {
      note("\(field.rawValue) is \(number); give one of \(range.lowerBound)...\(range.upperBound)", about: field)
      return nil
    }
    return number
  }

  /// Zero says that it is not known.
  mutating func money(_ field: FilmField) -> Int64? {
    number(field, in: 0...1_000_000_000_000 as ClosedRange<Int64>).flatMap { $0 == 0 ? nil : $0 }
  }

  mutating func list(_ field: FilmField) -> [String] {
    (text(field) ?? "").split(separator: FilmField.separator).map(\.trimmed).filter { !$0.isEmpty }
  }

  /// Each once, the first ones.
  mutating func names(_ field: FilmField) -> [String]? {
    var names: [String] = []
    for name in list(field) where !names.contains(name) {
      guard name.utf8.count <= Self.bytesMax else {
        note(
          "a name in \(field.rawValue) has \(name.utf8.count) bytes; at most \(Self.bytesMax) are kept", about: field)
        continue
      }
      names.append(name)
    }
    return names.isEmpty ? nil : Array(names.prefix(Self.listMax))
  }

  /// `fr:Rashômon|de:Rashomon`: those that have no column of their own.
  mutating func otherTitles() -> [FilmTitle] {
    list(.otherTitles).compactMap { text in
      let parts = text.split(separator: ":", maxSplits: 1).map(\.trimmed)
      guard parts.count == 2, !parts[1].isEmpty, Self.isTag(parts[0]) else {
        note("other_titles holds \(text); write language and title as in fr:Rashômon", about: .otherTitles)
        return nil
      }
      guard parts[1].utf8.count <= Self.bytesMax else {
        note("a title in other_titles is longer than \(Self.bytesMax) bytes; shorten it", about: .otherTitles)
        return nil
      }
      return FilmTitle(language: parts[0], text: parts[1])
    }
  }

  /// `youtube:abc Trailer|vimeo:123`: each once, the first ones.
  mutating func videos() -> [FilmVideo]? {
    var videos: [FilmVideo] = []
    for text in list(.videos) {
      let parts = text.split(separator: " ", maxSplits: 1).map(\.trimmed)
      let address = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil
      guard address.count == 2, let video = FilmVideo(site: address[0], key: address[1], name: name) else {
        note("videos holds \(text); write site and key as in youtube:dQw4w9WgXcQ Trailer", about: .videos)
        continue
      }
      guard name?.utf8.count ?? 0 <= Self.bytesMax else {
        note("a name in videos is longer than \(Self.bytesMax) bytes; shorten it", about: .videos)
        continue
      }
      if !videos.contains(where: { ($0.site, $0.key) == (video.site, video.key) }) { videos.append(video) }
    }
    return videos.isEmpty ? nil : Array(videos.prefix(Self.videosMax))
  }

  /// `Bong Joon-ho=봉준호`: each once, as many as people are kept.
  mutating func otherNames() -> [PersonName]? {
    var names: [PersonName] = []
    for text in list(.personNames) {
      let parts = text.split(separator: "=", maxSplits: 1).map(\.trimmed)
      guard parts.count == 2, parts.allSatisfy({ (1...Self.bytesMax).contains($0.utf8.count) }) else {
        note("other_names holds \(text.prefix(80)); write two names as in Bong Joon-ho=봉준호", about: .personNames)
        continue
      }
      let name = PersonName(parts[0], other: parts[1])
      if !names.contains(name) { names.append(name) }
    }
    return names.isEmpty ? nil : Array(names.prefix(Self.listMax))
  }

  /// As RFC 5646 writes them, 35 letters at most.
  private static func isTag(_ text: String) -> Bool {
    (2...35).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0 | 0x20) || (48...57).contains($0) || $0 == 45 }
  }

  mutating func countries() -> [String]? {
    let names = names(.countries)?.filter { !FilmGenre.none.contains($0.lowercased()) } ?? []
    return names.isEmpty ? nil : names.map { CountryName.code(of: $0) ?? $0 }
  }

  mutating func genres() -> [String]? {
    var genres: [String] = []
    // A comma is never of a word: lists are asked for with commas between.
    for name in names(.genres)?.flatMap({ $0.split(separator: ",").map(\.trimmed) }) ?? [] {
      let genre = FilmGenre.named(name)?.rawValue ?? name.lowercased()
      if !genre.isEmpty, !FilmGenre.none.contains(genre), !genres.contains(genre) { genres.append(genre) }
    }
    return genres.isEmpty ? nil : genres
  }

  mutating func language() -> String? {
    guard let text = text(.language)?.lowercased() else { return nil }
    guard Self.isLanguage(text) else {
      note("language is \(text); write a tag such as ko", about: .language)
      return nil
    }
    return text
  }

  /// Whether a text in small letters has the form of the tag that a film's language is: `ko`, `zh-tw`.
  static func isLanguage(_ text: String) -> Bool {
    (2...8).contains(text.utf8.count) && text.utf8.allSatisfy { (97...122).contains($0) || $0 == 45 }
  }

  mutating func rating() -> AgeRating? {
    guard let text = text(.rating) else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1).map(\.trimmed)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      note("rating is \(text); write system and code as in KMRB:15", about: .rating)
      return nil
    }
    return AgeRating(system: parts[0], code: parts[1])
  }

  mutating func link(_ field: FilmField) -> String? {
    guard let text = text(field, bytesMax: 2_000) else { return nil }
    guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
      note("\(field.rawValue) is \(text); begin it with https://", about: field)
      return nil
    }
    return text
  }

  mutating func id(_ text: String, _ field: FilmField) -> FilmID? {
    guard let id = FilmID(text) else {
      note("\(text) is not \(FilmID.form)", about: field)
      return nil
    }
    return id
  }

  /// Its own, or one made of its title in Latin letters.
  mutating func id(_ title: String?, _ titles: [FilmTitle], _ year: Int?) -> FilmID? {
    if let text = text(.id) { return id(text.hasPrefix("film_") ? text : "film_" + text, .id) }
    let name = titles.first { $0.language == "en" }?.text ?? title
    guard let name else { return nil }
    guard let id = FilmID.made(of: name, year: year) else {
      note("nothing of the title \(name) is a letter or digit; give an id")
      return nil
    }
    return id
  }
}
