import CGumbo
import CGumboGuard

extension Tree {
  /// Parses UTF-8 and copies gumbo's tree into records, without recursion in either.
  ///
  /// - Parameter sparesLongTexts: whether they are kept from gumbo, which changes nothing but the work.
  static func parse(
    _ text: [UInt8], limits: HTMLDocument.Limits, sparesLongTexts: Bool = true
  ) throws(HTMLError) -> Tree {
    let guardLimits = guard_limits(
      memory: limits.parserMemory, depth: UInt32(clamping: limits.depth),
      attributes: UInt32(clamping: limits.attributes),
      work: limits.parserWork)
    guard let arena = guard_arena_make(guardLimits) else { throw .tooMuchMemory(limit: limits.parserMemory) }
    defer { guard_arena_free(arena) }
    let longTexts = sparesLongTexts ? LongTexts(of: text) : nil
    let result = (longTexts?.page ?? text).withUnsafeBytes { source -> Result<Tree, HTMLError> in
      var output: UnsafeMutablePointer<GumboOutput>?
      let start = source.baseAddress?.assumingMemoryBound(to: CChar.self)
      let verdict = guard_parse(arena, start, source.count, &output)
      guard verdict == GUARD_PARSED, let document = output?.pointee.document else {
        return .failure(HTMLError(verdict, limits: limits))
      }
      var builder = TreeBuilder(
        limits: limits, longTexts: longTexts, expectedNodes: Int(guard_nodes(arena)), expectedBytes: text.count)
      do throws(HTMLError) { return .success(try builder.build(document)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

extension HTMLError {
  fileprivate init(_ verdict: guard_verdict, limits: HTMLDocument.Limits) {
    self =
      switch verdict {
      case GUARD_OUT_OF_MEMORY: .tooMuchMemory(limit: limits.parserMemory)
      case GUARD_TOO_DEEP: .tooDeep(limit: limits.depth)
      case GUARD_TOO_MANY_ATTRIBUTES: .tooManyAttributes(limit: limits.attributes)
      case GUARD_TOO_MUCH_WORK: .tooMuchWork
      default: .unparsable
      }
  }
}

private struct TreeBuilder {
  typealias Node = UnsafePointer<GumboNode>

  /// An element whose children are being copied.
  struct Open {
    var children: UnsafePointer<GumboVector>
    var next: Int
    var index: Int
    var lastElement: Int32 = -1
  }

  let limits: HTMLDocument.Limits
  var longTexts: LongTexts?
  var nodes: [NodeRecord] = []
  var attributes: [AttributeRecord] = []
  var bytes: [UInt8] = []
  var names: [String] = []
  var nameIDs: [String: NameID] = [:]
  var tagIDs = [NameID?](repeating: nil, count: Int(GUMBO_TAG_LAST.rawValue) + 1)

  init(limits: HTMLDocument.Limits, longTexts: LongTexts?, expectedNodes: Int, expectedBytes: Int) {
    self.limits = limits
    self.longTexts = longTexts
    nodes.reserveCapacity(min(expectedNodes, limits.nodes) + 1)
    bytes.reserveCapacity(expectedBytes / 2)
  }

  mutating func build(_ document: UnsafeMutablePointer<GumboNode>) throws(HTMLError) -> Tree {
    _ = id(of: "")
    nodes.append(NodeRecord(kind: .document, parent: -1))
    var open = [Open(children: cgumbo_children(document), next: 0, index: 0)]
    while let top = open.indices.last {
      guard open[top].next < Int(open[top].children.pointee.length) else {
        nodes[open[top].index].end = Int32(nodes.count)
        open.removeLast()
        continue
      }
      let child = cgumbo_child(open[top].children, open[top].next)!
      open[top].next += 1
      guard nodes.count < limits.nodes else { throw .tooManyNodes(limit: limits.nodes) }
      let index = nodes.count
      let parent = open[top].index
      switch child.pointee.type {
      case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
        guard open.count <= limits.depth else { throw .tooDeep(limit: limits.depth) }
        nodes[parent].elements += 1
        var record = element(child, parent: parent)
        record.previous = open[top].lastElement
        record.position = nodes[parent].elements
        nodes.append(record)
        open[top].lastElement = Int32(index)
        open.append(Open(children: cgumbo_children(child), next: 0, index: index))
      case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA: appendText(child, .text, parent: parent)
      case GUMBO_NODE_COMMENT: appendText(child, .comment, parent: parent)
      default: break
      }
    }
    return Tree(nodes: nodes, attributes: attributes, bytes: bytes, names: names, nameIDs: nameIDs)
  }

  private mutating func appendText(_ node: Node, _ kind: HTMLNode.Kind, parent: Int) {
    var record = NodeRecord(kind: kind, parent: Int32(parent), end: Int32(nodes.count + 1))
    (record.start, record.count) = append(cgumbo_text(node))
    nodes.append(record)
  }

  private mutating func append(_ string: UnsafePointer<CChar>?) -> (UInt32, UInt32) {
    let start = UInt32(bytes.count)
    guard let string else { return (start, 0) }
    let text = UnsafeRawBufferPointer(start: string, count: cgumbo_length(string))
    if longTexts == nil { bytes.append(contentsOf: text) } else { longTexts?.append(text, to: &bytes) }
    return (start, UInt32(bytes.count) - start)
  }

  private mutating func element(_ node: Node, parent: Int) -> NodeRecord {
    let element = cgumbo_element(node)!
    var record = NodeRecord(kind: .element, parent: Int32(parent), start: UInt32(attributes.count))
    record.name = tagID(of: element.pointee)
    if element.pointee.tag_namespace == GUMBO_NAMESPACE_HTML {
      record.isBlock = Self.blocks.contains(element.pointee.tag)
      record.isHidden = Self.hidden.contains(element.pointee.tag)
    }
    for index in 0..<Int(element.pointee.attributes.length) {
      let attribute = cgumbo_attribute(element, index)!
      let name = id(of: String(cString: attribute.pointee.name))
      let (start, count) = append(attribute.pointee.value)
      attributes.append(AttributeRecord(name: name, start: start, count: count))
    }
    record.count = UInt32(attributes.count) - record.start
    return record
  }

  private mutating func tagID(of element: GumboElement) -> NameID {
    guard element.tag == GUMBO_TAG_UNKNOWN || element.tag_namespace == GUMBO_NAMESPACE_SVG else {
      if let known = tagIDs[Int(element.tag.rawValue)] { return known }
      let name = id(of: String(cString: gumbo_normalized_tagname(element.tag)))
      tagIDs[Int(element.tag.rawValue)] = name
      return name
    }
    // The tag as it stands in the page, from `<` to `>`.
    let original = UnsafeRawBufferPointer(start: element.original_tag.data, count: element.original_tag.length)
    let spelled = original.dropFirst().prefix { !isHTMLSpace($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
    var piece = GumboStringPiece(
      data: element.original_tag.data.map { $0 + 1 }, length: spelled.count)
    guard !spelled.isEmpty else { return id(of: String(cString: gumbo_normalized_tagname(element.tag))) }
    if element.tag_namespace == GUMBO_NAMESPACE_SVG, let proper = gumbo_normalize_svg_tagname(&piece) {
      return id(of: String(cString: proper))
    }
    return id(of: String(decoding: spelled.lazy.map(asciiLowercased), as: UTF8.self))
  }

  private mutating func id(of name: String) -> NameID {
    if let known = nameIDs[name] { return known }
    let new = NameID(value: UInt32(names.count))
    names.append(name)
    nameIDs[name] = new
    return new
  }

  static let blocks = TagSet([
    GUMBO_TAG_ADDRESS, GUMBO_TAG_ARTICLE, GUMBO_TAG_ASIDE, GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_BODY, GUMBO_TAG_BR,
    GUMBO_TAG_CAPTION, GUMBO_TAG_DD, GUMBO_TAG_DETAILS, GUMBO_TAG_DIR, GUMBO_TAG_DIV, GUMBO_TAG_DL, GUMBO_TAG_DT,
    GUMBO_TAG_FIELDSET, GUMBO_TAG_FIGCAPTION, GUMBO_TAG_FIGURE, GUMBO_TAG_FOOTER, GUMBO_TAG_FORM, GUMBO_TAG_H1,
    GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6, GUMBO_TAG_HEAD, GUMBO_TAG_HEADER,
    GUMBO_TAG_HGROUP, GUMBO_TAG_HR, GUMBO_TAG_HTML, GUMBO_TAG_LEGEND, GUMBO_TAG_LI, GUMBO_TAG_MAIN, GUMBO_TAG_MENU,
    GUMBO_TAG_NAV, GUMBO_TAG_OL, GUMBO_TAG_OPTGROUP, GUMBO_TAG_OPTION, GUMBO_TAG_P, GUMBO_TAG_PRE, GUMBO_TAG_SECTION,
    GUMBO_TAG_SELECT, GUMBO_TAG_SUMMARY, GUMBO_TAG_TABLE, GUMBO_TAG_TBODY, GUMBO_TAG_TD, GUMBO_TAG_TEXTAREA,
    GUMBO_TAG_TFOOT, GUMBO_TAG_TH, GUMBO_TAG_THEAD, GUMBO_TAG_TITLE, GUMBO_TAG_TR, GUMBO_TAG_UL,
  ])
  static let hidden = TagSet([
    GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TEMPLATE, GUMBO_TAG_IFRAME, GUMBO_TAG_NOEMBED, GUMBO_TAG_NOFRAMES,
  ])
}

/// Some of gumbo's tags, as a table that is asked by number.
private struct TagSet: Sendable {
  private var members = [Bool](repeating: false, count: Int(GUMBO_TAG_LAST.rawValue) + 1)

  init(_ tags: [GumboTag]) { for tag in tags { members[Int(tag.rawValue)] = true } }

  func contains(_ tag: GumboTag) -> Bool { members[Int(tag.rawValue)] }
}
