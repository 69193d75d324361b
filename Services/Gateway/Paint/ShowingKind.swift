/// What showings are told apart by, in groups that people know: `Web/js/kinds.js` has the same.
nonisolated enum ShowingKind: String, CaseIterable {
  case subtitles, language, format, access

  /// In the order in which they stand, as the scraper writes them.
  var names: [String] {
    switch self {
    case .subtitles: ["subtitled"]
    case .language: ["original-version", "dubbed"]
    case .format: ["4k", "35mm", "70mm", "16mm", "imax", "3d", "4dx", "dolby", "restored", "black-and-white"]
    case .access: ["captioned", "audio-description", "sign-language", "relaxed", "baby"]
    }
  }

  /// Of these attributes those of this kind, those of one name together: `subtitled:ko` is one of `subtitled`.
  func members(of attributes: [String]) -> [String] {
    names.flatMap { name in
      Set(attributes).filter { $0 == name || $0.hasPrefix(name + ":") }.sorted()
    }
  }
}
