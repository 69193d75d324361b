/// The colours that a film's poster is made in where it has no picture; its ground stands in the picture's place while that comes.
///
/// The same of a film each time and everywhere. `Web/app.css` has them by number.
nonisolated package struct PosterColours: Equatable {
  package let ground: String
  package let ink: String
  package let mark: String

  private init(_ ground: String, _ ink: String, _ mark: String) {
    self.ground = ground
    self.ink = ink
    self.mark = mark
  }

  package init(of film: String) { self = Self.all[Self.number(of: film)] }

  /// Which of them a film has.
  static func number(of film: String) -> Int { Int(seed(of: film) % UInt32(all.count)) }

  /// A number from an id, the same in every language that we write (FNV-1a, 32 bits).
  static func seed(of film: String) -> UInt32 {
    film.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }

  package static let all = [
    PosterColours("#24304f", "#f3e9d2", "#d9603b"), PosterColours("#e7b54a", "#2a2112", "#b8452f"),
    PosterColours("#1f4d45", "#eaf2df", "#8fc1a3"), PosterColours("#b8452f", "#fff1de", "#f0c267"),
    PosterColours("#e9e0d0", "#26232b", "#3c5a8a"), PosterColours("#3d2a5a", "#f0e6fb", "#c58bd9"),
    PosterColours("#1b1c20", "#efece4", "#e0b24c"), PosterColours("#8fb4c4", "#14252e", "#f4efe3"),
    PosterColours("#d88a86", "#2c1416", "#f6e3cf"), PosterColours("#50603a", "#f3f1dc", "#d7c36a"),
  ]
}
