import HTML
import JSON

/// Reads `itemscope` and `itemprop` into the nodes that schema.org's words are looked for in.
struct MicrodataReader {
  let clock: PageClock
  let limits: ExtractionLimits

  private static let itemsMax = 20_000

  func read(_ page: HTMLDocument, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    let scopes = page.select("[itemscope]").prefix(Self.itemsMax)
    guard !scopes.isEmpty else { return Evidence() }
    var roots: [(value: JSONValue, place: String)] = []
    var objects: [HTMLNode: JSONObject] = [:]
    // Inner items first, so that each is whole when it is put into the one around it.
    for scope in scopes.reversed() {
      try budget.spend(4)
      var object = JSONObject()
      if let type = scope["itemtype"] {
        object["@type"] = .string(type.split(separator: " ").first.map(String.init) ?? type)
      }
      if let id = scope["itemid"] { object["@id"] = .string(id) }
      var properties = try self.properties(of: scope, budget: budget)
      for reference in scope["itemref"]?.split(separator: " ").prefix(8) ?? [] {
        guard reference.utf8.allSatisfy({ $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }),
          let selector = try? Selector(parsing: "[id=\"\(reference)\"]"), let other = page.first(selector)
        else { continue }
        properties += try self.properties(of: other, budget: budget, isIncluded: true)
      }
      for (name, node) in properties {
        let value = objects[node].map(JSONValue.object) ?? .string(Self.text(of: node, page))
        for name in name.split(separator: " ") {
          let name = String(name)
          if let old = object[name] {
            object[name] = .array((old.array ?? [old]) + [value])
          } else {
            object[name] = value
          }
        }
      }
      if object["startDate"] != nil, object["eventStatus"] == nil, try isCancelled(scope, properties, budget: budget) {
        object["eventStatus"] = .string("EventCancelled")
      }
      objects[scope] = object
    }
    for scope in scopes where scope["itemprop"] == nil {
      if let object = objects[scope] { roots.append((.object(object), scope.id.map { "#\($0)" } ?? scope.name)) }
    }
    var events = SchemaEvents(clock: clock, reader: .microdata, budget: budget, limits: limits)
    return try events.read(roots)
  }

  /// The properties of an item, those of items inside left out.
  private func properties(
    of scope: HTMLNode, budget: WorkBudget, isIncluded: Bool = false
  ) throws(ExtractionError) -> [(name: String, node: HTMLNode)] {
    var found: [(String, HTMLNode)] = []
    var stack = isIncluded ? [scope] : Array(scope.children.reversed())
    while let node = stack.popLast() {
      try budget.spend()
      if let name = node["itemprop"] { found.append((name, node)) }
      if node["itemscope"] == nil { stack += node.children.reversed() }
    }
    return found
  }

  /// Whether its start is struck out, or the item says that it is cancelled: in a text of its own, not in one about it.
  private func isCancelled(
    _ scope: HTMLNode, _ properties: [(name: String, node: HTMLNode)], budget: WorkBudget
  ) throws(ExtractionError) -> Bool {
    for (name, node) in properties where name == "startDate" {
      if Self.isStruck(node)
        || node.ancestors.prefix(Self.struckLevels).contains(where: { Self.strikes.contains($0.name) })
      {
        return true
      }
    }
    var stack = scope.children
    while let node = stack.popLast() {
      try budget.spend()
      if node["itemprop"]?.lowercased() == "description" { continue }
      if node["itemscope"] == nil || node.children.isEmpty { stack += node.children }
      if node["itemscope"] == nil, case let text = node.ownText.trimmedText, !text.isEmpty,
        TitleVocabulary.state(of: text) == .cancelled
      {
        return true
      }
    }
    return false
  }

  private static let strikes: Set<String> = ["del", "s", "strike"]
  /// From a start to what strikes out its line.
  private static let struckLevels = 3

  /// All that it says stands in one part that is struck out.
  private static func isStruck(_ node: HTMLNode) -> Bool {
    if strikes.contains(node.name) { return true }
    guard node.children.count == 1, node.ownText.trimmedText.isEmpty else { return false }
    return isStruck(node.children[0])
  }

  static func text(of node: HTMLNode, _ page: HTMLDocument) -> String {
    if let content = node["content"] { return content }
    switch node.name {
    case "time": return node["datetime"] ?? node.text
    case "a", "area", "link": return node["href"].map { page.link($0) ?? $0 } ?? node.text
    case "img", "audio", "embed", "iframe", "source", "video": return node["src"] ?? ""
    case "data", "meter": return node["value"] ?? node.text
    default: return withoutLabel(node)
    }
  }

  /// "Town Hall" of `<address itemprop="name"><small>Address</small>Town Hall</address>`.
  private static func withoutLabel(_ node: HTMLNode) -> String {
    let text = node.text
    guard let first = node.children.first, !node.ownText.trimmedText.isEmpty, case let label = first.text.trimmedText,
      PageWords.isLabelOfPlace(label), text.hasPrefix(label),
      case let name = LineRest.trimmed(String(text.dropFirst(label.count)).trimmedText), name.hasLetters
    else { return text }
    return name
  }
}

/// Reads RDFa Lite: `vocab`, `typeof`, `property`, `resource`.
struct RDFaReader {
  let clock: PageClock
  let limits: ExtractionLimits

  private static let itemsMax = 20_000

  func read(_ page: HTMLDocument, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    let scopes = page.select("[typeof]").prefix(Self.itemsMax)
    guard !scopes.isEmpty else { return Evidence() }
    var objects: [HTMLNode: JSONObject] = [:]
    for scope in scopes.reversed() {
      try budget.spend(4)
      var object = JSONObject()
      if let type = scope["typeof"]?.split(separator: " ").first { object["@type"] = .string(String(type)) }
      if let id = scope["resource"] ?? scope["about"] { object["@id"] = .string(page.link(id) ?? id) }
      var stack = Array(scope.children.reversed())
      while let node = stack.popLast() {
        try budget.spend()
        if let property = node["property"]?.split(separator: " ").first {
          let name = property.split(separator: ":").last.map(String.init) ?? String(property)
          let value: JSONValue
          if let inner = objects[node] {
            value = .object(inner)
          } else if let resource = node["resource"], node["content"] == nil {
            value = .object(JSONObject([("@id", .string(page.link(resource) ?? resource))]))
          } else {
            value = .string(MicrodataReader.text(of: node, page))
          }
          if let old = object[name] {
            object[name] = .array((old.array ?? [old]) + [value])
          } else {
            object[name] = value
          }
        }
        if node["typeof"] == nil { stack += node.children.reversed() }
      }
      objects[scope] = object
    }
    var roots: [(value: JSONValue, place: String)] = []
    for scope in scopes where scope["property"] == nil {
      if let object = objects[scope] { roots.append((.object(object), scope.name)) }
    }
    var events = SchemaEvents(clock: clock, reader: .rdfa, budget: budget, limits: limits)
    return try events.read(roots)
  }
}
