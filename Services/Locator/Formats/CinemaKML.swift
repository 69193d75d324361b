package import Contracts

/// The directory as KML, for maps that read it. It cannot be imported: it has no place for most fields.
nonisolated package enum CinemaKML {
  package static func write(_ cinemas: [Cinema]) -> String {
    let places = cinemas.map { cinema in
      """
          <Placemark id="\(escaped(cinema.id.text))">
            <name>\(escaped(cinema.name))</name>
            <description>\(escaped([cinema.address, cinema.website].compactMap { $0 }.joined(separator: "\n")))</description>
            <Point><coordinates>\(cinema.position.longitude),\(cinema.position.latitude)</coordinates></Point>
          </Placemark>

      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2">
        <Document>
          <name>Cinemas</name>
      \(places.joined())  </Document>
      </kml>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
