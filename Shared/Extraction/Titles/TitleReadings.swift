/// The titles of a page, each taken apart once: a film has many screenings, and several readers find it.
final class TitleReadings {
  struct Reading {
    let title: PrintedTitle
    /// The film's own name folded; empty where it has neither letters nor digits.
    let filmKey: String
  }

  private var known: [String: Reading] = [:]
  /// A festival has a few hundred; beyond this a page is built to have many.
  private static let knownMax = 4_096

  subscript(_ text: String) -> Reading {
    if let reading = known[text] { return reading }
    let title = PrintedTitle(text)
    let reading = Reading(title: title, filmKey: title.film.foldedKey)
    if known.count < Self.knownMax { known[text] = reading }
    return reading
  }
}
