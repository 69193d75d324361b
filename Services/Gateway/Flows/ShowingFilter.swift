import Contracts
import HTTP

/// How a showing is to be shown, as query parameters: what is printed beside titles and times, sorted by what people ask
/// for. One of each parameter's values must hold.
nonisolated struct ShowingFilter: Sendable {
  /// Ready for ``FindShowtimes``; nil if nothing was asked for.
  let choices: [AttributeChoice]?

  /// How the picture comes.
  enum Format: String, CaseIterable, Sendable {
    case fourK = "4k"
    case film16mm = "16mm"
    case film35mm = "35mm"
    case film70mm = "70mm"
    case imax
    case threeD = "3d"
    case fourDX = "4dx"
    case dolby
  }

  /// For whom it is made easier.
  enum Access: String, CaseIterable, Sendable {
    case audioDescription = "ad"
    case captions = "cc"
    case signLanguage = "sign"
    case relaxed, baby, subtitled

    fileprivate var attributes: [String] {
      switch self {
      case .audioDescription: ["audio-description"]
      case .captions: ["captioned"]
      case .signLanguage: ["sign-language"]
      case .relaxed: ["relaxed"]
      case .baby: ["baby"]
      case .subtitled: ["subtitled:"]
      }
    }
  }

  private static let subtitles = QueryField<[String]>.words(
    "subtitles", "With subtitles: `any`, or a language, where the cinema says which: `en`.", pattern: pattern,
    fits: isLanguage)
  private static let audio = QueryField<[String]>.words(
    "audio_language", "Spoken: `original`, `dubbed`, or a language, where the cinema says which: `ko`.",
    pattern: pattern, fits: isLanguage)
  private static let format = QueryField<Set<Format>>.choices("format", "The picture's format.", of: Format.self)
  private static let access = QueryField<Set<Access>>.choices(
    "accessibility", "Made easier: audio description, captions, sign language, relaxed, with babies, subtitled.",
    of: Access.self)

  private static let pattern = "^[a-z]{2,8}$"

  @Sendable private static func isLanguage(_ word: String) -> Bool {
    2...8 ~= word.utf8.count && word.utf8.allSatisfy { (97...122).contains($0) }
  }

  /// For the description of an endpoint.
  static var fields: [any AnyQueryField] { [subtitles, audio, format, access] }

  init(_ query: inout QueryReader) {
    let (subtitles, audio) = (query.take(Self.subtitles), query.take(Self.audio))
    let (formats, access) = (query.take(Self.format), query.take(Self.access))
    let all = [
      subtitles.map { $0 == "any" ? "subtitled:" : "subtitled:\($0)" },
      audio.flatMap { word in
        switch word {
        // Where there are subtitles, the voices are the film's own.
        case "original": ["original-version", "subtitled:"]
        case "dubbed": ["dubbed:"]
        default: ["audio:\(word)", "dubbed:\(word)"]
        }
      },
      formats.map(\.rawValue).sorted(), access.flatMap(\.attributes).sorted(),
    ]
    let asked = all.filter { !$0.isEmpty }.map { AttributeChoice($0) }
    choices = asked.isEmpty ? nil : asked
  }
}
