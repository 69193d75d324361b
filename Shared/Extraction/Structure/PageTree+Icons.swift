import HTML

/// Pictures of a pin: `<span><i class="fa fa-map-marker"></i> Town Hall</span>`, `<svg><use href="#pin"></svg> Town Hall`.
extension PageTree {
  private static let pins: Set<String> = ["pin", "marker", "location", "map", "place", "venue"]
  private static let childrenMax = 4

  /// Whether a pin stands right before a text, in the element that has it.
  func isPinned(_ place: Int) -> Bool {
    var at = place
    while at >= 0, nodes[at].isText { at = nodes[at].parent }
    guard at >= 0, let icon = nodes[at].node.childNodes.prefix(Self.childrenMax).first(where: { $0.kind == .element })
    else { return false }
    switch icon.name {
    case "svg":
      let uses = icon.childNodes.prefix(Self.childrenMax).filter { $0.name == "use" }
      return ([icon["class"]] + uses.flatMap { [$0["xlink:href"], $0["href"]] }).contains { Self.isPin($0) }
    case "i": return Self.isPin(icon["class"])
    case "img": return Self.isPin(icon["alt"]) || Self.isPin(icon["src"]?.split(separator: "/").last.map(String.init))
    default: return false
    }
  }

  private static func isPin(_ name: String?) -> Bool {
    guard let name else { return false }
    return name.lowercased().utf8.split { !(0x61...0x7A).contains($0) }.contains {
      pins.contains(String(Substring($0)))
    }
  }
}
