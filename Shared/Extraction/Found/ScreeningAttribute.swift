import Calendars

/// How a film is shown, and for whom: what is printed beside a title or a time.
package enum ScreeningAttribute: String, Hashable, Sendable, Codable, CaseIterable {
  // With the makers or a talk.
  case guestVisit = "q-and-a"
  case stageGreeting = "stage-greeting"
  case talk, introduction
  // Language.
  case subtitled, dubbed
  case originalVersion = "original-version"
  case signLanguage = "sign-language"
  // Picture and sound.
  case fourK = "4k"
  case film16mm = "16mm"
  case film35mm = "35mm"
  case film70mm = "70mm"
  case imax
  case threeD = "3d"
  case fourDX = "4dx"
  case dolby
  case restored
  case directorsCut = "directors-cut"
  case blackAndWhite = "black-and-white"
  case loudScreening = "loud-screening"
  case liveMusic = "live-music"
  // Occasion.
  case preview, premiere
  case lastDay = "last-day"
  case cheering
  case singAlong = "sing-along"
  case doubleBill = "double-bill"
  case shorts
  case live
  case anniversary
  case free
  case outdoor
  case online
  // For whom.
  case relaxed, baby, family, seniors, school, members
  case dogFriendly = "dog-friendly"
  case audioDescription = "audio-description"
  case closedCaptions = "captioned"
  case paySpecial = "reduced-price"

  /// The platform's words for what stands beside a time.
  init(_ printed: PrintedMarks.Attribute) {
    self =
      switch printed {
      case .guestVisit: .guestVisit
      case .stageGreeting: .stageGreeting
      case .talk: .talk
      case .subtitled: .subtitled
      case .dubbed: .dubbed
      case .originalVersion: .originalVersion
      case .fourK: .fourK
      case .film35mm: .film35mm
      case .film70mm: .film70mm
      case .imax: .imax
      case .threeD: .threeD
      case .loudScreening: .loudScreening
      case .cheering: .cheering
      case .preview: .preview
      case .premiere: .premiere
      case .lastDay: .lastDay
      case .relaxed: .relaxed
      case .baby: .baby
      case .audioDescription: .audioDescription
      case .closedCaptions: .closedCaptions
      }
  }
}
