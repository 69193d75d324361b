import Calendars

/// Times that are printed without a mark, among others with one: `1010  1440  19:10`.
extension AtomReader {
  mutating func settleBareDigits() throws(ExtractionError) {
    var kinds: Set<String> = []
    for atom in atoms {
      if case .times(let times) = atom.kind, times.count == 1, times[0].text.utf8.contains(UInt8(ascii: ":")) {
        kinds.insert(tree.signature(element(of: atom)))
      }
    }
    guard !kinds.isEmpty else { return }
    for index in atoms.indices {
      switch atoms[index].kind {
      case .words, .dayNumber, .badDate: break
      default: continue
      }
      let digits = atoms[index].text
      guard (3...4).contains(digits.utf8.count), digits.utf8.allSatisfy(isDigitByte) else { continue }
      try budget.spend(16)
      let clockText = "\(digits.dropLast(2)):\(digits.suffix(2))"
      // "2015" may be a year, unless the times beside it are written so as well.
      guard let number = Int(digits), number % 5 == 0, kinds.contains(tree.signature(element(of: atoms[index]))),
        !PageClock.years.contains(number) || isBesideTime(index),
        let line = PrintedLine(clockText, clock: clock, expecting: .times), line.times.count == 1, line.alarms.isEmpty
      else { continue }
      atoms[index].kind = .times(line.times)
      atoms[index].line = line
    }
  }

  private func isBesideTime(_ index: Int) -> Bool {
    [index - 1, index + 1].contains { other in
      guard atoms.indices.contains(other), atoms[other].isTime else { return false }
      return tree[element(of: atoms[other])].parent == tree[element(of: atoms[index])].parent
    }
  }

  private func element(of atom: PageAtom) -> Int {
    tree[atom.place].isText ? max(0, tree[atom.place].parent) : atom.place
  }
}
