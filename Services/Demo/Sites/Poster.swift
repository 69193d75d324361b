/// A film's poster: its title, set large on a colour of its own. Ours, so that nobody's picture is needed.
nonisolated enum Poster {
  enum Size: String, CaseIterable {
    case small, large

    var width: Int { self == .small ? 200 : 600 }
  }

  /// Letters that fit in a line of the title.
  private static let lineMax = 8

  static func picture(of film: DemoFilm, _ size: Size) -> DemoDocument {
    let hue = Int(Hash.of(film.code) % 360)
    let lines = broken(film.japanese ?? film.korean)
    let title = lines.enumerated().map { index, line -> Markup in
      "<text x=\"20\" y=\"\(120 + index * 44)\" font-size=\"36\" font-weight=\"700\">\(line)</text>"
    }
    let svg: Markup = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 420" width="\(size.width)" height="\(size.width * 7 / 5)" \
      role="img">
      <title>\(film.korean) (demo)</title>
      <rect width="300" height="420" fill="hsl(\(hue) 45% 28%)"/>
      <circle cx="236" cy="92" r="\(30 + hue % 40)" fill="hsl(\((hue + 40) % 360) 60% 55%)"/>
      <g fill="#fff" font-family="sans-serif">\(title)
      <text x="20" y="352" font-size="16">\(film.english)</text>
      <text x="20" y="376" font-size="13">\(film.director) · \(film.year)</text>
      <text x="20" y="402" font-size="11" letter-spacing="3">DEMO</text></g>
      </svg>

      """
    return DemoDocument(.picture, svg.html)
  }

  /// At blanks where there are some, and wherever a line is full.
  private static func broken(_ title: String) -> [String] {
    var lines = [""]
    for word in title.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= lineMax {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.flatMap { line in
      stride(from: 0, to: line.count, by: lineMax).map { String(line.dropFirst($0).prefix(lineMax)) }
    }
  }
}
