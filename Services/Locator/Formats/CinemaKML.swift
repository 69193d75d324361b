package import Contracts
import XML

/// The directory as KML, for maps that read it. It cannot be imported: it has no place for most fields.
nonisolated package enum CinemaKML {
  package static func write(_ cinemas: [Cinema]) -> String {
    var xml = XMLWriter()
    xml.element("kml", [("xmlns", "http://www.opengis.net/kml/2.2")]) { xml in
      xml.element("Document") { xml in
        xml.element("name", [], "Cinemas")
        for cinema in cinemas { place(cinema, &xml) }
      }
    }
    return String(decoding: xml.bytes, as: UTF8.self)
  }

  private static func place(_ cinema: Cinema, _ xml: inout XMLWriter) {
    xml.element("Placemark", [("id", cinema.id.text)]) { xml in
      xml.element("name", [], cinema.name)
      xml.element("description", [], [cinema.address, cinema.website].compactMap { $0 }.joined(separator: "\n"))
      xml.element("Point") { xml in
        xml.element("coordinates", [], "\(cinema.position.longitude),\(cinema.position.latitude)")
      }
    }
  }
}
