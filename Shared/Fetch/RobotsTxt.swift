import Clocks

/// What a site asks of robots (RFC 9309): parsed from any bytes, asked about one path at a time.
nonisolated package struct RobotsTxt: Sendable, Hashable {
  /// As much of the file as is read; RFC 9309 asks for at least this.
  package static let bytesMax = 500 << 10
  /// A pause longer than this between two requests is as good as being asked to stay away.
  package static let crawlDelayMax = Duration.seconds(3_600)

  private var groups: [Group] = []

  struct Group: Sendable, Hashable {
    /// Product tokens in lower case; `*` is for everybody.
    var agents: [String] = []
    var rules: [Rule] = []
    var crawlDelay: Duration?
  }

  struct Rule: Sendable, Hashable {
    var isAllowed: Bool
    var pattern: Pattern
    /// Counted from 1, as an editor shows it.
    var line: Int
    var text: String
  }

  /// What the file says about a path, and where.
  package struct Decision: Sendable, Hashable {
    package var isAllowed: Bool
    /// The rule as it stands there; nil if none matches.
    package var rule: String?
    package var line: Int?
  }

  /// Allows everything, as a site without the file does.
  package static let allowingAll = RobotsTxt()
  /// Refuses everything, as a site must be treated whose file cannot be had.
  package static let refusingAll = RobotsTxt(
    groups: [
      Group(agents: ["*"], rules: [Rule(isAllowed: false, pattern: Pattern(Array("/".utf8)[...]), line: 0, text: "")])
    ])

  private init(groups: [Group] = []) { self.groups = groups }

  package init(parsing bytes: [UInt8]) {
    var rest = bytes.prefix(Self.bytesMax)
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    // A line that the limit cuts is not a rule.
    if bytes.count > Self.bytesMax {
      rest = rest[..<((rest.lastIndex { $0 == 0x0A || $0 == 0x0D }) ?? rest.startIndex)]
    }
    var namesAgents = false
    var (number, counted) = (1, rest.startIndex)
    for line in rest.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      number += Self.lineEnds(rest[counted..<line.startIndex])
      counted = line.startIndex
      guard let (key, value) = Self.field(line) else { continue }
      switch key {
      case "user-agent":
        if !namesAgents { groups.append(Group()) }
        namesAgents = true
        groups[groups.count - 1].agents.append(Self.productToken(value))
        continue
      case "allow", "disallow":
        namesAgents = false
        // Rules before the first group belong to nobody; an empty one says nothing.
        guard !groups.isEmpty, !value.isEmpty else { continue }
        groups[groups.count - 1].rules.append(
          Rule(
            isAllowed: key == "allow", pattern: Pattern(value), line: number,
            text: String(decoding: Self.trimmed(line), as: UTF8.self)))
      case "crawl-delay":
        namesAgents = false
        guard !groups.isEmpty, let seconds = Double(String(decoding: value, as: UTF8.self)), seconds >= 0 else {
          continue
        }
        let delay = seconds < Self.crawlDelayMax.inSeconds ? Duration.seconds(seconds) : Self.crawlDelayMax
        groups[groups.count - 1].crawlDelay = delay
      // Other records do not end a list of agents (RFC 9309, 2.2.4).
      default: continue
      }
    }
  }

  /// Whether `target`, a path with its query, may be fetched by the robot whose product token is `agent`, and which rule
  /// decides.
  package func decision(on target: String, agent: String) -> Decision {
    if target == "/robots.txt" { return Decision(isAllowed: true) }
    let path = Pattern.normalised(Array(target.utf8)[...], isPattern: false)
    var best: Rule?
    for group in groups(for: agent) {
      for rule in group.rules where rule.pattern.matches(path) {
        // The longest pattern decides; of two equally long ones, the one that allows.
        let (length, known) = (rule.pattern.length, best?.pattern.length ?? -1)
        if length > known || (length == known && rule.isAllowed && best?.isAllowed == false) { best = rule }
      }
    }
    guard let best else { return Decision(isAllowed: true) }
    return Decision(
      isAllowed: best.isAllowed, rule: best.line > 0 ? best.text : nil, line: best.line > 0 ? best.line : nil)
  }

  /// CR LF is one end.
  private static func lineEnds(_ bytes: ArraySlice<UInt8>) -> Int {
    var (count, last): (Int, UInt8) = (0, 0)
    for byte in bytes {
      if byte == 0x0D || (byte == 0x0A && last != 0x0D) { count += 1 }
      last = byte
    }
    return count
  }

  /// The pause that the site asks for between two requests. Not in the RFC, but widely used and cheap to honour.
  package func crawlDelay(agent: String) -> Duration? { groups(for: agent).compactMap(\.crawlDelay).max() }

  /// All groups that name the robot; if there is none, those for everybody.
  private func groups(for agent: String) -> [Group] {
    let token = agent.lowercased()
    let own = groups.filter { $0.agents.contains(token) }
    return own.isEmpty ? groups.filter { $0.agents.contains("*") } : own
  }

  private static func field(_ line: ArraySlice<UInt8>) -> (key: String, value: ArraySlice<UInt8>)? {
    let content = line.prefix { $0 != UInt8(ascii: "#") }
    guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return (String(decoding: trimmed(content[..<colon]), as: UTF8.self).lowercased(), trimmed(content[(colon + 1)...]))
  }

  /// Letters, `-` and `_`, in lower case: what stands before the `/` of `OdiBot/0.1`.
  private static func productToken(_ value: ArraySlice<UInt8>) -> String {
    if value.first == UInt8(ascii: "*") { return "*" }
    let token = value.prefix { byte in
      (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    return String(decoding: token, as: UTF8.self).lowercased()
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = bytes.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? bytes.endIndex
    let end = bytes.lastIndex { $0 != 0x20 && $0 != 0x09 } ?? start - 1
    return bytes[start..<max(start, end + 1)]
  }
}

extension RobotsTxt {
  /// A path with `*` for any characters and `$` at its end for the end.
  nonisolated struct Pattern: Sendable, Hashable {
    /// What stands between the stars.
    private var parts: [[UInt8]]
    private var isAnchored: Bool
    /// In bytes as written, stars included: the measure of how particular a rule is.
    let length: Int

    init(_ text: ArraySlice<UInt8>) {
      isAnchored = text.last == UInt8(ascii: "$")
      let normalised = Self.normalised(isAnchored ? text.dropLast() : text, isPattern: true)
      parts = normalised.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
      length = normalised.count + (isAnchored ? 1 : 0)
    }

    func matches(_ path: [UInt8]) -> Bool {
      guard path.starts(with: parts[0]) else { return false }
      guard parts.count > 1 else { return !isAnchored || path.count == parts[0].count }
      var position = parts[0].count
      // Taking the first place for each part leaves the most for those after it; only the last is bound to the end.
      for part in parts[1..<(isAnchored ? parts.count - 1 : parts.count)] {
        guard let place = Self.firstIndex(of: part, in: path, from: position) else { return false }
        position = place + part.count
      }
      guard isAnchored, let last = parts.last else { return true }
      return path.count - last.count >= position && path.suffix(last.count).elementsEqual(last)
    }

    private static func firstIndex(of part: [UInt8], in path: [UInt8], from start: Int) -> Int? {
      guard !part.isEmpty else { return start }
      guard path.count - start >= part.count else { return nil }
      return (start...path.count - part.count).first { path[$0..<$0 + part.count].elementsEqual(part) }
    }

    /// The same text for the same octets (RFC 9309, 2.2.2): what need not be percent-encoded is not, the rest is, with
    /// capital digits. A star or a dollar that is meant literally stays encoded, and is encoded in a path.
    static func normalised(_ text: ArraySlice<UInt8>, isPattern: Bool) -> [UInt8] {
      var output: [UInt8] = []
      output.reserveCapacity(text.count)
      var index = text.startIndex
      while index < text.endIndex {
        var byte = text[index]
        var wasEncoded = false
        if byte == UInt8(ascii: "%"), index + 2 < text.endIndex, let high = digit(text[index + 1]),
          let low = digit(text[index + 2])
        {
          byte = high << 4 | low
          wasEncoded = true
          index += 2
        }
        index += 1
        let isSign = byte == UInt8(ascii: "*") || byte == UInt8(ascii: "$")
        let staysPlain =
          wasEncoded ? isUnreserved(byte) : byte > 0x20 && byte < 0x7F && (isPattern || !isSign)
        if staysPlain {
          output.append(byte)
        } else {
          output += [UInt8(ascii: "%"), hexadecimal(byte >> 4), hexadecimal(byte & 15)]
        }
      }
      return output
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
        || byte == 0x5F || byte == 0x7E
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
      switch byte {
      case 0x30...0x39: byte - 0x30
      case 0x41...0x46: byte - 0x41 + 10
      case 0x61...0x66: byte - 0x61 + 10
      default: nil
      }
    }

    private static func hexadecimal(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
  }
}
