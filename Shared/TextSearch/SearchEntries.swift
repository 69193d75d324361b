/// Every text in every form, found by pairs of neighbouring units: flat arrays, a posting list a pair.
///
/// Pairs and not words, because Korean and Japanese do not write blanks where words begin. Single units are kept too, so
/// that one character finds something.
struct SearchEntries: Sendable {
  /// The longest name that is looked into to its end.
  static let unitsMax = 500
  /// Entries that one word is looked for in. A single common letter in a very large index is answered from these.
  static let candidatesMax = 50_000

  private var units: [UInt32] = []
  private var starts: [Int32] = [0]
  private var texts: [Int32] = []
  /// Sorted; of each, where its list begins in `postings`.
  private var keys: [UInt64] = []
  private var lists: [Int32] = []
  private var postings: [Int32] = []

  func units(of entry: Int) -> ArraySlice<UInt32> { units[Int(starts[entry])..<Int(starts[entry + 1])] }

  func text(of entry: Int) -> Int { Int(texts[entry]) }

  /// Entries that hold all the pairs of `term`, and probably `term` itself.
  func containing(_ term: [UInt32], _ form: SearchForm) -> [Int] {
    let lists = Self.keys(of: term, form).map(list).sorted { $0.count < $1.count }
    guard let rarest = lists.first else { return [] }
    // The two rarest pairs leave few that the text itself has to refuse.
    guard lists.count > 1 else { return rarest.prefix(Self.candidatesMax).map(Int.init) }
    var common: [Int] = []
    var other = lists[1].startIndex
    for entry in rarest {
      while other < lists[1].endIndex, lists[1][other] < entry { other += 1 }
      if other < lists[1].endIndex, lists[1][other] == entry { common.append(Int(entry)) }
      if common.count == Self.candidatesMax { break }
    }
    return common
  }

  /// Entries that hold enough of the pairs of `term` to be it with so many slips.
  func resembling(_ term: [UInt32], _ form: SearchForm, typos: Int) -> [Int] {
    let keys = Self.keys(of: term, form)
    // Two letters that were swapped spoil three pairs.
    let needed = max(1, keys.count - 3 * typos)
    var counts: [Int32: Int] = [:]
    for key in keys {
      for entry in list(key).prefix(Self.candidatesMax) { counts[entry, default: 0] += 1 }
    }
    return counts.filter { $0.value >= needed }.map { Int($0.key) }.sorted()
  }

  private func list(_ key: UInt64) -> ArraySlice<Int32> {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    guard low < keys.count, keys[low] == key else { return [] }
    return postings[Int(lists[low])..<Int(lists[low + 1])]
  }

  /// The pairs of a term; the unit itself if it is alone.
  private static func keys(of term: [UInt32], _ form: SearchForm) -> [UInt64] {
    guard term.count > 1 else { return term.map { key(form, $0, 0) } }
    return Array(Set(zip(term, term.dropFirst()).map { key(form, $0, $1) }))
  }

  fileprivate static func key(_ form: SearchForm, _ first: UInt32, _ second: UInt32) -> UInt64 {
    let (one, two) = (first & FormedText.scalarMask, second & FormedText.scalarMask)
    return UInt64(form.rawValue) << 42 | UInt64(one) << 21 | UInt64(two)
  }

  /// Collects entries, then sorts what they can be found by.
  struct Builder {
    private var entries = SearchEntries()
    private var pairs: [(key: UInt64, entry: Int32)] = []

    mutating func add(_ units: [UInt32], _ form: SearchForm, text: Int) {
      let entry = Int32(entries.texts.count)
      entries.texts.append(Int32(text))
      entries.units += units
      entries.starts.append(Int32(entries.units.count))
      for place in units.indices {
        if units[place] & FormedText.startBit != 0 { pairs.append((SearchEntries.key(form, units[place], 0), entry)) }
        if place + 1 < units.count { pairs.append((SearchEntries.key(form, units[place], units[place + 1]), entry)) }
      }
    }

    consuming func finished() -> SearchEntries {
      pairs.sort { $0.key == $1.key ? $0.entry < $1.entry : $0.key < $1.key }
      for (key, entry) in pairs {
        if entries.keys.last != key {
          entries.keys.append(key)
          entries.lists.append(Int32(entries.postings.count))
        } else if entries.postings.last == entry {
          continue
        }
        entries.postings.append(entry)
      }
      entries.lists.append(Int32(entries.postings.count))
      return entries
    }
  }
}
