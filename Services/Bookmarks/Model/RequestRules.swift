import Contracts

/// What requests have to keep to. Each rule throws a sentence that says what to do.
nonisolated struct RequestRules {
  let limits: BookmarkLimits

  func check(_ item: NewItem, at place: String = "") throws(BookmarkError) {
    try check(item.kind, at: place)
    try check(id: item.id, at: place)
    if let note = item.note { try check(note: note, at: place) }
  }

  func check(_ kind: ItemKind?, at place: String = "") throws(BookmarkError) {
    guard case .unknown(let name) = kind else { return }
    let known = ItemKind.known.map(\.rawValue).joined(separator: ", ")
    throw .invalid("\(place)kind is \(Self.shown(name)); ask for one of \(known)")
  }

  func check(id: String, at place: String = "") throws(BookmarkError) {
    guard ID<SavedItem>(id) != nil else {
      throw .invalid("\(place)id is \(Self.shown(id)); it has to be \(ID<SavedItem>.form)")
    }
  }

  func check(note: String, at place: String) throws(BookmarkError) {
    // Scalars: what most clients and every database count.
    let count = note.unicodeScalars.count
    guard count <= limits.noteCharacters else {
      throw .invalid("\(place)note has \(count) characters; at most \(limits.noteCharacters) are kept")
    }
  }

  func check(_ plan: PlanContent) throws(BookmarkError) {
    if let title = plan.title, title.unicodeScalars.count > limits.planTitleCharacters {
      throw .invalid(
        "title has \(title.unicodeScalars.count) characters; at most \(limits.planTitleCharacters) are kept")
    }
    if let note = plan.note { try check(note: note, at: "") }
  }

  func check(limit: Int, most: Int) throws(BookmarkError) {
    guard (1...most).contains(limit) else { throw .invalid("limit is \(limit); ask for 1...\(most)") }
  }

  func check(count: Int, of what: String, most: Int) throws(BookmarkError) {
    guard count <= most else { throw .invalid("there are \(count) \(what); at most \(most) go in one request") }
  }

  func check(locale: String?) throws(BookmarkError) {
    guard let locale else { return }
    guard LanguageTag.isWellFormed(locale) else {
      throw .invalid("locale is \(Self.shown(locale)); it has to be a language tag such as ko-KR")
    }
  }

  func check(_ settings: UserSettings) throws(BookmarkError) {
    if let language = settings.language, !LanguageTag.isWellFormed(language) {
      throw .invalid("language is \(Self.shown(language)); it has to be a language tag such as ko-KR")
    }
    if let theme = settings.theme, !Self.themes.contains(theme) {
      throw .invalid("theme is \(Self.shown(theme)); ask for one of \(Self.themes.joined(separator: ", "))")
    }
    if let region = settings.region, ID<UserSettings>(region) == nil {
      throw .invalid("region is \(Self.shown(region)); it has to be \(ID<UserSettings>.form)")
    }
    if let pace = settings.walkMetresPerMinute, !Self.walkingPaces.contains(pace) {
      let (slow, fast) = (Self.walkingPaces.lowerBound, Self.walkingPaces.upperBound)
      throw .invalid("walk_metres_per_minute is \(pace); ask for \(slow)...\(fast)")
    }
  }

  private static let themes = ["light", "dark", "auto"]
  /// From somebody with a walking frame to somebody who runs.
  private static let walkingPaces = 10...300
  /// Enough of a wrong value to find it.
  private static func shown(_ text: String) -> String {
    guard text.unicodeScalars.count > 40 else { return "“\(text)”" }
    return "“\(String(String.UnicodeScalarView(text.unicodeScalars.prefix(40))))…”"
  }
}
