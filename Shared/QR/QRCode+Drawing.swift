extension QRCode {
  /// The border that readers need around a code, in squares.
  package static let quietStandard = 4

  /// As a picture without a size of its own: one path, dark on light whatever the page's colours are.
  ///
  /// - Parameter title: what it is for people who hear the page; it is escaped.
  package func svg(quiet: Int = quietStandard, title: String? = nil) -> String {
    let side = size + 2 * quiet
    var text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(side) \(side)\""
    text += " shape-rendering=\"crispEdges\""
    text += title == nil ? " aria-hidden=\"true\">" : " role=\"img\">"
    if let title { text += "<title>\(QRCode.escaped(title))</title>" }
    text += "<path fill=\"#fff\" d=\"M0 0h\(side)v\(side)H0z\"/><path fill=\"#000\" d=\""
    for row in 0..<size {
      var column = 0
      while column < size {
        guard self[column, row] else {
          column += 1
          continue
        }
        let start = column
        while self[column, row] { column += 1 }
        text += "M\(start + quiet) \(row + quiet)h\(column - start)v1h-\(column - start)z"
      }
    }
    return text + "\"/></svg>"
  }

  /// For a terminal: half blocks, two rows of squares a line. Light squares are drawn, so that a dark terminal shows a
  /// light code; `isInverted` is for light ones.
  package func terminalText(quiet: Int = 2, isInverted: Bool = false) -> String {
    var lines: [String] = []
    for row in stride(from: -quiet, to: size + quiet, by: 2) {
      var line = ""
      for column in -quiet..<size + quiet {
        let upper = self[column, row] == isInverted
        // Below the last row there is nothing to draw.
        let lower = row + 1 < size + quiet && self[column, row + 1] == isInverted
        line.unicodeScalars.append(upper ? (lower ? "█" : "▀") : (lower ? "▄" : " "))
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "&": output += "&amp;"
      default: if scalar.value >= 0x20 { output.unicodeScalars.append(scalar) }
      }
    }
    return output
  }
}
