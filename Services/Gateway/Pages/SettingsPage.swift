package import Contracts
import HTTP
package import JSON

/// What a user chose.
nonisolated struct SettingsPage: Shaped, Equatable {
  var settings: UserSettings

  static let themes = ["light", "dark", "auto"]
  static let walkRange = 20...200

  static let shape = Shape<SettingsPage>(
    "Settings", "An absent value was never chosen.",
    [
      .required("rev", "Of the settings alone; the ETag is made of it.") { $0.settings.revision },
      .optional("language", "BCP 47.") { $0.settings.language },
      .optional("theme", "", as: .words(themes)) { page in
        page.settings.theme.flatMap { themes.contains($0) ? $0 : nil }
      },
      .optional("region", "Where to begin without a position.") { $0.settings.region },
      .optional("keeps_history", "Whether looks are remembered; yes, if absent.") { $0.settings.keepsHistory },
      .optional("walk_m_per_min", "How fast you walk.") { $0.settings.walkMetresPerMinute },
    ])

  static let form = BodyForm(
    schema: .object([
      ("language", LanguageTag.schema.orNull, false),
      ("theme", Schema.words(themes).orNull, false),
      ("region", Schema.string(pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$", length: 1...80).orNull, false),
      ("keeps_history", Schema.boolean.orNull, false),
      ("walk_m_per_min", Schema.integer(walkRange).orNull, false),
    ]))

  @MainActor
  static func answer(_ settings: UserSettings) -> Answer {
    var answer = Answer.json(SettingsPage(settings: settings))
    // Read and compared by one's own programs only, so nothing between may keep it.
    answer.response.tag = .given("\(settings.revision)")
    return answer
  }

  static var changed: Problem {
    Problem(.preconditionFailed, "the settings have changed since; read them again")
  }

  /// The revision that `If-Match` names; nil without one, or for any. What we never gave stands for something else.
  static func revision(ifMatch text: String?, otherwise changed: Problem) throws -> Int64? {
    guard let text, text != "*" else { return nil }
    guard text.utf8.count > 2, text.utf8.first == UInt8(ascii: "\""), text.utf8.last == UInt8(ascii: "\""),
      let revision = Int64(text.dropFirst().dropLast())
    else { throw changed }
    return revision
  }
}

/// A change of settings as RFC 7396 has it: what is null is taken back, what is absent stays.
nonisolated package struct SettingsPatch {
  private var changes: [(inout UserSettings) -> Void] = []

  package init(_ value: JSONValue) throws {
    var reader = JSONReader(value)
    let object = value.object
    func isNull(_ name: String) -> Bool { object?[name]?.isNull == true }

    let language = reader.optional("language", as: String.self)
    if let language, !LanguageTag.isWellFormed(language) {
      reader.note("language", "must be a language tag like ko-KR")
    }
    if language != nil || isNull("language") { changes.append { $0.language = language } }

    let theme = reader.optional("theme", as: String.self)
    if let theme, !SettingsPage.themes.contains(theme) {
      reader.note("theme", "must be one of \(SettingsPage.themes.joined(separator: ", "))")
    }
    if theme != nil || isNull("theme") { changes.append { $0.theme = theme } }

    let region = reader.optional("region", as: String.self)
    if let region, CinemaID(region) == nil { reader.note("region", "must be the slug of a region") }
    if region != nil || isNull("region") { changes.append { $0.region = region } }

    let history = reader.optional("keeps_history", as: Bool.self)
    if history != nil || isNull("keeps_history") { changes.append { $0.keepsHistory = history } }

    // JSON does not tell 90 from 90.0.
    let walk = reader.optional("walk_m_per_min", as: Double.self)
    let pace = walk.flatMap { Int(exactly: $0) }.flatMap { SettingsPage.walkRange.contains($0) ? $0 : nil }
    if walk != nil, pace == nil {
      let range = SettingsPage.walkRange
      reader.note("walk_m_per_min", "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    if pace != nil || isNull("walk_m_per_min") { changes.append { $0.walkMetresPerMinute = pace } }
    try reader.finish()
  }

  package func applied(to settings: UserSettings) -> UserSettings {
    var settings = settings
    for change in changes { change(&settings) }
    return settings
  }
}

nonisolated extension LanguageTag {
  static let schema = Schema.string("BCP 47.", pattern: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$", length: 2...bytesMax)
}
