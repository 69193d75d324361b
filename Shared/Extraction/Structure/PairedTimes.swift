import Calendars
import HTML

/// Times that are the ends of others: `<i class="start">19:00</i> – <i class="end">21:00</i>`.
struct PairedTimes {
  /// By the atom of a start: the atom of its end.
  private(set) var ends: [Int: Int] = [:]
  /// By the atom of an end: the atom of its start.
  private(set) var starts: [Int: Int] = [:]

  /// A date and a time, as a program writes them.
  private static let machineMax = 40

  /// Atoms between the two: a dash, or the dash and a date's second part.
  private static let between = 3

  init(_ context: PageContext) {
    let atoms = context.atoms
    var last: Int?
    for (index, atom) in atoms.enumerated() where Self.isSingle(atom) {
      if let before = last, index - before <= Self.between, starts[before] == nil,
        Self.isPair(before, index, context)
      {
        ends[before] = index
        starts[index] = before
      }
      last = index
    }
  }

  private static func isSingle(_ atom: PageAtom) -> Bool {
    switch atom.kind {
    case .times(let times): times.count == 1 && times[0].minutesLong == nil
    // `<time datetime="2026-11-21">9:00 PM</time>`
    case .moment, .both: atom.text.utf8.count <= Self.machineMax
    default: false
    }
  }

  private static func isPair(_ start: Int, _ end: Int, _ context: PageContext) -> Bool {
    let words = words(end, context)
    if words.contains(where: endWords.contains), !words.contains("text"), !words.contains("justify") {
      return words.contains(where: timeWords.contains)
        || self.words(start, context).contains(where: startWords.contains)
    }
    return areOfOneKind(context.atoms[start], context.atoms[end])
      && end == start + 2 && isJoint(start + 1, context) && block(start, context) == block(end, context)
      && !isInList(start, end, context)
  }

  /// Two times, or two that each say a date: `<time>A</time> to <time>B</time>`.
  private static func areOfOneKind(_ start: PageAtom, _ end: PageAtom) -> Bool {
    switch (start.kind, end.kind) {
    case (.times, .times), (.moment, .moment), (.both, .both): true
    // `<span>6 September, 7:30 pm</span> - <span>9:30 pm</span>`
    case (.both, .times(let ends)):
      start.line.map { line in
        line.times.count == 1 && ends.count == 1
          && lengths.contains((ends[0].start.minutes - line.times[0].start.minutes + dayMinutes) % dayMinutes)
      } ?? false
    default: false
    }
  }

  /// Of a film, with what is said before it. What is further apart are two of them.
  private static let lengths = 30...270
  private static let dayMinutes = 1_440

  private static let startWords: Set<String> = ["start", "begin", "from", "debut", "inicio", "inizio", "beginn"]
  private static let endWords: Set<String> = ["end", "ends", "until", "fin", "ende", "fine", "einde", "finish"]
  private static let timeWords: Set<String> = ["time", "hour", "hr", "tijd", "zeit", "heure", "hora", "ora"]
  private static let joints: Set<String> = [
    "-", "–", "—", "~", "〜", "～", "to", "until", "till", "bis", "à", "tot", "→", "－",
  ]

  private static func words(_ atom: Int, _ context: PageContext) -> [String] {
    let place = context.atoms[atom].place
    let node = context.tree[place]
    return node.isText && node.parent >= 0 ? context.tree[node.parent].words : node.words
  }

  private static func block(_ atom: Int, _ context: PageContext) -> Int? {
    context.tree.path(context.atoms[atom].place).first { !context.tree.isInline($0) }
  }

  /// A dash and nothing else.
  private static func isJoint(_ index: Int, _ context: PageContext) -> Bool {
    joints.contains(context.atoms[index].text.lowercased())
  }

  /// "16:30 – 18:45 – 21:00", or each with a link of its own: screenings, one after the other.
  private static func isInList(_ start: Int, _ end: Int, _ context: PageContext) -> Bool {
    let atoms = context.atoms
    if end + 2 < atoms.count, atoms[end + 2].isTime, isJoint(end + 1, context) { return true }
    if start >= 2, atoms[start - 2].isTime, isJoint(start - 1, context) { return true }
    let links = [start, end].map { atom in
      context.tree.path(atoms[atom].place).prefix(2).compactMap { context.tree[$0].node["href"] }.first
    }
    return links[0] != nil && links[1] != nil && links[0] != links[1]
  }
}
