import CGumbo

/// Long runs of text, kept from the parser and put back into its tree.
///
/// Gumbo spends some hundreds of instructions on every byte, and most bytes of a page are prose, data in scripts, paths
/// of pictures and addresses, in which nothing can happen: a parser would copy them. Each such run is replaced by one
/// character that stands for it, of a plane that pages do not use, and copied when the tree is.
///
/// A run has no `<`, `>` or `&` and no control characters, begins and ends with a letter or a digit, and stands where
/// quotes mean nothing (text, what scripts hold, comments) or between two quotes. That takes knowing where tags begin and
/// end, as the HTML Standard has it (13.2.5); where this scan cannot know as much as a parser, the rest of the page is
/// left as it is.
struct LongTexts {
  /// The page as the parser gets it.
  let page: [UInt8]
  private let source: [UInt8]
  /// By the number of what stands for it; empty once it was put back, so that no page can ask for one twice.
  private var runs: [Range<Int>]

  /// A page shorter than this is parsed sooner than looked through.
  private static let pageMin = 512

  /// Nil if there is nothing to gain, or the page has characters of our plane itself.
  init?(of source: [UInt8]) {
    guard source.count >= Self.pageMin else { return nil }
    let scanned = source.withUnsafeBufferPointer { text -> (page: [UInt8], runs: [Range<Int>])? in
      var scan = LongTextScan(text)
      guard !scan.usesOurPlane else { return nil }
      scan.run()
      return scan.runs.isEmpty ? nil : (scan.page, scan.runs)
    }
    guard let scanned else { return nil }
    self.source = source
    (page, runs) = scanned
  }

  /// Appends what the parser gives back, each run in the place of what stands for it.
  mutating func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    var copied = 0
    var index = 0
    while index + 3 < text.count {
      guard text[index] == StandIn.lead, let number = StandIn.number(in: text, at: index), number < runs.count,
        !runs[number].isEmpty
      else {
        index += 1
        continue
      }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[copied..<index]))
      bytes.append(contentsOf: source[runs[number]])
      runs[number] = 0..<0
      index += StandIn.length
      copied = index
    }
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[copied...]))
  }
}

/// The characters U+100000 to U+10FFFD, by which runs are numbered.
private enum StandIn {
  static let lead: UInt8 = 0xF4
  static let length = 4
  static let most = 0xFFFD

  static func append(_ number: Int, to page: inout [UInt8]) {
    page.append(lead)
    page.append(0x80 | UInt8(number >> 12))
    page.append(0x80 | UInt8(number >> 6 & 0x3F))
    page.append(0x80 | UInt8(number & 0x3F))
  }

  static func number(in text: UnsafeRawBufferPointer, at index: Int) -> Int? {
    guard text[index + 1] & 0xF0 == 0x80 else { return nil }
    return Int(text[index + 1] & 0x0F) << 12 | Int(text[index + 2] & 0x3F) << 6 | Int(text[index + 3] & 0x3F)
  }
}

/// Goes through a page once, tag by tag.
private struct LongTextScan {
  private let text: UnsafeBufferPointer<UInt8>
  private let kinds = ByteKind.table
  private(set) var page: [UInt8] = []
  private(set) var runs: [Range<Int>] = []
  private var position = 0
  private var copied = 0
  /// Elements of SVG inside each other.
  private var drawingDepth = 0
  /// The title or description of a drawing that is open: in it markup is a page's again.
  private var caption: TagName?
  private var isInSelect = false
  /// What is ahead would take a parser to be understood.
  private var isLost = false

  /// A shorter run costs more to take out than to parse.
  private static let bytesMin = 32

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    page.reserveCapacity(text.count / 2)
  }

  mutating func run() {
    while !isLost, let open = place(of: UInt8(ascii: "<"), from: position) {
      // What stands before the first tag decides what kind of page it is.
      if position > 0 { cut(position..<open) }
      position = open
      readMarkup()
    }
    if !isLost, position > 0, position < text.count { cut(position..<text.count) }
    page.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied...]))
  }

  /// Whether the page has characters that would be taken for ours, or writes some by their numbers: `&#x100000;`.
  var usesOurPlane: Bool {
    if place(of: StandIn.lead, from: 0) != nil { return true }
    var index = 0
    while let mark = place(of: UInt8(ascii: "&"), from: index) {
      index = behindReference(mark, text.count)
      if byte(mark + 1) == UInt8(ascii: "#"), index - mark >= Self.referenceMin { return true }
    }
    return false
  }

  /// No reference to our plane is shorter: `&#x100000`, `&#1048576`.
  private static let referenceMin = 9

  private func byte(_ index: Int) -> UInt8 { index < text.count ? text[index] : 0 }

  private func place(of byte: UInt8, from start: Int) -> Int? {
    guard start < text.count else { return nil }
    let place = start + cgumbo_place(text.baseAddress! + start, text.count - start, Int32(byte))
    return place < text.count ? place : nil
  }

  // MARK: Runs

  /// Takes out the runs of a part of the page in which there is no markup but references.
  private mutating func cut(_ range: Range<Int>) {
    var index = range.lowerBound
    let end = range.upperBound
    while end - index >= Self.bytesMin {
      guard kind(at: index) == .solid else {
        index = text[index] == UInt8(ascii: "&") ? behindReference(index, end) : behindCharacter(index)
        continue
      }
      let (stop, last) = runEnd(from: index, to: end)
      if last - index >= Self.bytesMin, runs.count < StandIn.most {
        page.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied..<index]))
        StandIn.append(runs.count, to: &page)
        runs.append(index..<last)
        copied = last
      }
      index = stop
    }
  }

  /// Where what can be copied ends, and where behind its last letter.
  private func runEnd(from start: Int, to end: Int) -> (stop: Int, last: Int) {
    var stop = start
    var last = start
    while stop < end {
      let kind = kind(at: stop)
      if kind == .special { break }
      stop += 1
      if kind == .solid { last = stop }
    }
    return (stop, last)
  }

  private func kind(at index: Int) -> ByteKind {
    let kind = kinds[Int(text[index])]
    guard kind == .leading else { return kind }
    return isReplaced(at: index) ? .special : .solid
  }

  /// Controls beyond ASCII and what Unicode calls no characters: the parser replaces them.
  private func isReplaced(at index: Int) -> Bool {
    let (second, third) = (byte(index + 1), byte(index + 2))
    switch text[index] {
    case 0xC2: return second < 0xA0
    case 0xEF: return second == 0xB7 && 0x90...0xAF ~= third || second == 0xBF && third >= 0xBE
    default: return second & 0x0F == 0x0F && third == 0xBF && byte(index + 3) >= 0xBE
    }
  }

  private func behindCharacter(_ index: Int) -> Int {
    var next = index + 1
    while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }

  /// `&eacute`, `&#233`: what a reference may be made of is left to the parser.
  private func behindReference(_ start: Int, _ end: Int) -> Int {
    var index = start + 1
    while index < end, isLetterOrDigit(text[index]) || text[index] == UInt8(ascii: "#") { index += 1 }
    return index
  }

  // MARK: Markup

  /// At a `<`.
  private mutating func readMarkup() {
    let next = byte(position + 1)
    if isLetter(next) {
      readTag(isEnd: false)
    } else if next == UInt8(ascii: "/") {
      if isLetter(byte(position + 2)) {
        readTag(isEnd: true)
      } else {
        skip(past: UInt8(ascii: ">"))
      }
    } else if next == UInt8(ascii: "!") {
      if byte(position + 2) == UInt8(ascii: "-"), byte(position + 3) == UInt8(ascii: "-") {
        readComment()
      } else if drawingDepth > 0 {
        isLost = true
      } else {
        skip(past: UInt8(ascii: ">"))
      }
    } else if next == UInt8(ascii: "?") {
      skip(past: UInt8(ascii: ">"))
    } else {
      position += 1
    }
  }

  private mutating func skip(past byte: UInt8) {
    position = place(of: byte, from: position).map { $0 + 1 } ?? text.count
  }

  private mutating func readComment() {
    let start = position + 4
    if byte(start) == UInt8(ascii: ">") {
      position = start + 1
      return
    }
    if byte(start) == UInt8(ascii: "-"), byte(start + 1) == UInt8(ascii: ">") {
      position = start + 2
      return
    }
    var index = start
    while let dash = place(of: UInt8(ascii: "-"), from: index) {
      if byte(dash + 1) == UInt8(ascii: "-") {
        let isLoud = byte(dash + 2) == UInt8(ascii: "!")
        if byte(dash + (isLoud ? 3 : 2)) == UInt8(ascii: ">") {
          cut(start..<dash)
          position = dash + (isLoud ? 4 : 3)
          return
        }
      }
      index = dash + 1
    }
    isLost = true
  }

  private mutating func readTag(isEnd: Bool) {
    let nameStart = position + (isEnd ? 2 : 1)
    var index = nameStart
    while index < text.count, !isHTMLSpace(text[index]), text[index] != UInt8(ascii: "/"),
      text[index] != UInt8(ascii: ">")
    { index += 1 }
    let name = TagName(text[nameStart..<index])
    let part = PagePart.of[name]
    guard let isSelfClosing = readAttributes(from: index, areCut: !isEnd && part != .formatting) else {
      isLost = true
      return
    }
    if drawingDepth > 0 {
      guard PagePart.drawing.contains(name), caption.map({ isEnd && $0 == name }) ?? true else {
        isLost = true
        return
      }
      if PagePart.captions.contains(name) { caption = isEnd || isSelfClosing ? nil : name }
      if name == .svg { drawingDepth += isEnd ? -1 : isSelfClosing ? 0 : 1 }
      return
    }
    switch part {
    case .unknowable: isLost = true
    case .select: isInSelect = !isEnd
    case .raw(let isInSelectToo) where !isEnd:
      guard isInSelectToo || !isInSelect else {
        isLost = true
        return
      }
      readRaw(name, length: index - nameStart)
    default: if name == .svg, !isEnd, !isSelfClosing { drawingDepth = 1 }
    }
  }

  /// From behind a tag's name to behind its end; whether it closes itself. Nil if the page ends first.
  private mutating func readAttributes(from start: Int, areCut: Bool) -> Bool? {
    var index = start
    var isSelfClosing = false
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: ">") {
        position = index + 1
        return isSelfClosing
      }
      isSelfClosing = byte == UInt8(ascii: "/")
      if isSelfClosing || isHTMLSpace(byte) {
        index += 1
        continue
      }
      // A name: its first character may be anything.
      index += 1
      while index < text.count, !isHTMLSpace(text[index]), text[index] != UInt8(ascii: "/"),
        text[index] != UInt8(ascii: ">"), text[index] != UInt8(ascii: "=")
      { index += 1 }
      var behind = index
      while behind < text.count, isHTMLSpace(text[behind]) { behind += 1 }
      guard self.byte(behind) == UInt8(ascii: "=") else { continue }
      index = behind + 1
      while index < text.count, isHTMLSpace(text[index]) { index += 1 }
      let first = self.byte(index)
      if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
        guard let end = place(of: first, from: index + 1) else { return nil }
        if areCut, end - index > Self.bytesMin { cut(index + 1..<end) }
        index = end + 1
      } else if first != UInt8(ascii: ">") {
        while index < text.count, !isHTMLSpace(text[index]), text[index] != UInt8(ascii: ">") { index += 1 }
      }
    }
    return nil
  }

  /// What scripts, styles, titles and fields of text hold, up to the tag that ends it.
  private mutating func readRaw(_ name: TagName, length: Int) {
    let start = position
    var index = start
    var hasComment = false
    while let open = place(of: UInt8(ascii: "<"), from: index) {
      index = open + 1
      if byte(index) == UInt8(ascii: "!") { hasComment = true }
      let isEnd = byte(index) == UInt8(ascii: "/")
      let word = index + (isEnd ? 1 : 0)
      guard word + length < text.count, TagName(text[word..<word + length]) == name else { continue }
      // `<!-- <script` in a script: its end is no end.
      if !isEnd, hasComment, name == .script {
        isLost = true
        return
      }
      let behind = text[word + length]
      guard isEnd, isHTMLSpace(behind) || behind == UInt8(ascii: "/") || behind == UInt8(ascii: ">") else { continue }
      cut(start..<open)
      position = open
      return
    }
    isLost = true
  }

  private func isLetter(_ byte: UInt8) -> Bool { asciiLowercased(byte) &- 0x61 < 26 }

  private func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || byte &- 0x30 < 10 }
}

/// What a byte is to a run of text.
private enum ByteKind: UInt8 {
  /// A letter, a digit, part of a character beyond ASCII: what a run may begin and end with.
  case solid
  /// Other marks and blanks.
  case mark
  /// Begins a character that may be one which the parser replaces.
  case leading
  case special

  static let table: [ByteKind] = (0...255).map { (byte: UInt8) in
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: .solid
    case StandIn.lead: .special
    case 0xC2, 0xEF, 0xF0...0xF3: .leading
    case 0x80...: .solid
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), 0x7F: .special
    case 0x09, 0x0A, 0x20...0x7E: .mark
    default: .special
    }
  }
}

/// A tag's name as a number, its case folded (FNV-1a).
private struct TagName: Hashable {
  private let number: UInt64

  init(_ name: some Sequence<UInt8>) {
    var number: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name { number = (number ^ UInt64(asciiLowercased(byte))) &* 0x100_0000_01B3 }
    self.number = number
  }

  init(_ name: String) { self.init(name.utf8) }

  static let script = TagName("script")
  static let svg = TagName("svg")
}

/// What a tag means to whoever looks for texts.
private enum PagePart: Equatable {
  /// Holds text alone. Inside a `<select>`, only scripts are read so.
  case raw(inSelect: Bool)
  /// May be made again further on by the parser, by what its attributes say.
  case formatting
  case select
  /// What follows depends on where it stands.
  case unknowable

  static let of: [TagName: PagePart] = {
    var parts: [TagName: PagePart] = [TagName("script"): .raw(inSelect: true), TagName("select"): .select]
    for name in ["style", "title", "textarea", "iframe"] { parts[TagName(name)] = .raw(inSelect: false) }
    for name in [
      "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
    ] { parts[TagName(name)] = .formatting }
    for name in ["math", "xmp", "noembed", "noframes", "frameset", "plaintext", "isindex", "keygen"] {
      parts[TagName(name)] = .unknowable
    }
    return parts
  }()

  static let captions = Set([TagName("title"), TagName("desc")])

  /// Tags that leave the parser inside a drawing.
  static let drawing = Set(
    [
      "svg", "g", "path", "use", "defs", "symbol", "circle", "ellipse", "rect", "line", "polygon", "polyline", "text",
      "tspan", "title", "desc", "style", "clippath", "mask", "pattern", "lineargradient", "radialgradient", "stop",
      "image", "filter", "animate", "animatetransform", "fegaussianblur", "feoffset", "feblend", "feflood",
      "fecolormatrix", "fecomposite", "femerge", "femergenode",
    ].map { TagName($0) })
}
