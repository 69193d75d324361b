package import Contracts
import XML

/// The map of a floor as somebody drew it, made fit to be shown to everybody.
///
/// What is not on the lists is dropped: scripts, anything that is fetched from elsewhere, anything that acts. What styles
/// say of colours, lines and letters becomes attributes. An element that names a room, by `data-room`, by its `id` or by
/// the label that Inkscape gives it, becomes a link to what plays there.
package enum FloorMap {
  /// Maps of whole fairs have 200 KB.
  package static let bytesMax = 1 << 20
  /// What styles may add to it: one rule may be of a hundred thousand elements.
  static let styledBytesMax = 1 << 20

  /// - Returns: the drawing, and the rooms that it links to.
  package static func clean(
    _ bytes: [UInt8], of festival: Festival
  ) throws(ProgrammeError) -> (svg: String, rooms: [RoomID]) {
    guard bytes.count <= bytesMax else { throw ProgrammeError("the map is too large; make it smaller than 1 MB") }
    let root: XMLElement
    do {
      root = try XMLElement(parsing: bytes)
    } catch {
      throw ProgrammeError("the map is no SVG: \(error)")
    }
    guard let prefix = Self.prefix(ofRoot: root.name) else {
      throw ProgrammeError("<\(root.name)> is no SVG; save the map as SVG")
    }
    guard root["viewBox"] != nil || (root["width"] != nil && root["height"] != nil) else {
      throw ProgrammeError("the map does not say how large it is; give <svg> a viewBox")
    }
    var cleaner = Cleaner(festival: festival, prefix: prefix)
    cleaner.collectStyles(root)
    guard var svg = try cleaner.cleaned(root, isRoot: true), isDrawn(svg) else {
      throw ProgrammeError("the map shows nothing; draw it with shapes and text instead of images and <use>")
    }
    svg.attributes.insert(.init("xmlns", "http://www.w3.org/2000/svg"), at: 0)
    var writer = XMLWriter(hasDeclaration: false)
    writer.tree(svg)
    return (String(decoding: writer.bytes, as: UTF8.self), cleaner.linked)
  }

  /// The rooms that a map which was made fit links to.
  package static func rooms(of svg: String, of festival: FestivalID) -> [RoomID] {
    var rooms: [RoomID] = []
    for part in svg.split(separator: "href=\"\(link(to: festival))").dropFirst() {
      guard let room = RoomID(String(part.prefix { $0 != "\"" })), !rooms.contains(room) else { continue }
      rooms.append(room)
    }
    return rooms
  }

  private static func link(to festival: FestivalID) -> String { "/festivals/\(festival)?screen=" }

  /// What stands before the names of SVG's elements, as some programs write them: `ns0:` of `ns0:svg`; nil if the root
  /// is no SVG.
  private static func prefix(ofRoot name: String) -> String? {
    if name == "svg" { return "svg:" }
    guard name.utf8.count > 4, name.utf8.suffix(4).elementsEqual(":svg".utf8) else { return nil }
    return String(decoding: name.utf8.dropLast(3), as: UTF8.self)
  }

  /// Whether there is anything to see. What only stands in `defs` is not shown.
  private static func isDrawn(_ element: XMLElement) -> Bool {
    shapes.contains(element.name) || (groups.contains(element.name) && element.elements.contains { isDrawn($0) })
  }

  private struct Cleaner {
    let festival: Festival
    let prefix: String
    var linked: [RoomID] = []

    private var styles = FloorStyles()
    private var styledBytes = 0

    init(festival: Festival, prefix: String) {
      self.festival = festival
      self.prefix = prefix
    }

    /// A prefix may stand for another language than SVG; the root's own is SVG's.
    private func name(of element: XMLElement) -> String {
      let bytes = element.name.utf8
      return bytes.starts(with: prefix.utf8)
        ? String(decoding: bytes.dropFirst(prefix.utf8.count), as: UTF8.self) : element.name
    }

    /// Rules are of the whole drawing, wherever they stand in it.
    mutating func collectStyles(_ element: XMLElement) {
      if name(of: element) == "style" { styles.add(sheet: element.text) }
      for inner in element.elements { collectStyles(inner) }
    }

    mutating func cleaned(_ element: XMLElement, isRoot: Bool = false) throws(ProgrammeError) -> XMLElement? {
      let name = name(of: element)
      guard FloorMap.elements.contains(name), isRoot || name != "svg" else { return nil }
      var result = XMLElement(name)
      for attribute in element.attributes where FloorMap.isAllowed(attribute) { result.attributes.append(attribute) }
      for (property, value) in styles.style(of: element, named: name) {
        styledBytes += property.utf8.count + value.utf8.count
        result.attributes.removeAll { $0.name == property }
        result.attributes.append(.init(property, value))
      }
      guard styledBytes <= FloorMap.styledBytesMax else {
        throw ProgrammeError("the map's styles make it too large; give colours to groups instead of to each shape")
      }
      for child in element.children {
        switch child {
        case .text(let text): if FloorMap.textual.contains(name) { result.children.append(.text(text)) }
        case .element(let inner): if let inner = try cleaned(inner) { result.children.append(.element(inner)) }
        case .instruction: break
        }
      }
      guard !isRoot, let room = room(of: element) else { return result }
      if !linked.contains(room.id) { linked.append(room.id) }
      if result.first("title") == nil {
        result.children.insert(.element(XMLElement("title", [], [.text(room.name)])), at: 0)
      }
      let link = FloorMap.link(to: festival.id) + room.id.text
      return XMLElement("a", [.init("href", link), .init("target", "_top")], [.element(result)])
    }

    private func room(of element: XMLElement) -> FestivalRoom? {
      for name in [element["data-room"], element["id"], element["inkscape:label"]].compactMap(\.self) {
        let room = festival.rooms.first { $0.id.text == name || "room-\($0.id)" == name || $0.name == name }
        if let room { return room }
      }
      return nil
    }
  }

  private static let elements: Set<String> = [
    "svg", "g", "defs", "symbol", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
    "text", "tspan", "linearGradient", "radialGradient", "stop", "clipPath", "pattern", "marker",
  ]

  private static let shapes: Set<String> = [
    "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text",
  ]

  private static let groups: Set<String> = ["svg", "g", "a"]

  private static let textual: Set<String> = ["text", "tspan", "title", "desc"]

  private static let attributes: Set<String> = properties.union([
    "id", "viewBox", "width", "height", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "d",
    "points", "dx", "dy", "transform", "offset", "gradientUnits", "gradientTransform", "patternUnits",
    "patternTransform", "preserveAspectRatio", "role", "aria-label", "data-room", "markerWidth", "markerHeight",
    "refX", "refY", "orient",
  ])

  /// How something looks: SVG has these as attributes and in styles.
  static let properties: Set<String> = [
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-linejoin", "stroke-dasharray", "stroke-miterlimit", "opacity", "color", "font-size", "font-family",
    "font-style", "font-weight", "text-anchor", "dominant-baseline", "letter-spacing", "clip-path", "clip-rule",
    "stop-color", "stop-opacity", "visibility", "display", "marker-start", "marker-end",
  ]

  /// A value may point at something in the same drawing, and at nothing else.
  static func isAllowed(_ attribute: XMLElement.Attribute) -> Bool {
    guard attributes.contains(attribute.name) else { return false }
    let value = attribute.value.lowercased()
    guard value.contains("url") || value.contains(":") || value.contains("\\") else { return true }
    if attribute.name == "aria-label" || attribute.name == "id" || attribute.name == "data-room" { return true }
    let inner = value.filter { $0 != " " && $0 != "'" && $0 != "\"" }
    return inner.hasPrefix("url(#") && inner.hasSuffix(")")
      && inner.dropFirst(5).dropLast().utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
  }
}
