/// Every text in every form, found by pairs of neighbouring units: flat arrays, a posting list a pair.
///
/// Pairs and not words, because Korean and Japanese do not write blanks where words begin. Single units are kept too, so
/// that one character finds something.
struct SearchEntries: Sendable {
  /// The longest name that is looked into to its end.
  static let unitsMax = 500
  /// Entries that one word is looked for in, some 200 ns each. A letter that is in all names of a very large index is
  /// answered from these.
  static let candidatesMax = 10_000
  /// Entries that are measured for slips of the finger, some 5 us each.
  static let measuredMax = 1_000

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

  /// Entries that hold enough of the pairs of `term` to be it with so many slips, those with the most first.
  func resembling(_ term: [UInt32], _ form: SearchForm, typos: Int) -> [Int] {
    let lists = Self.keys(of: term, form).map(list).sorted { $0.count < $1.count }
    var counts: [Int32: Int] = [:]
    var read = 0
    var looked = 0
    // Rare pairs tell more; common ones are left out once enough has been read.
    for list in lists where read == 0 || read + list.count <= Self.candidatesMax {
      for entry in list.prefix(Self.candidatesMax) { counts[entry, default: 0] += 1 }
      read += list.count
      looked += 1
    }
    // Two letters that were swapped spoil three pairs.
    let needed = max(1, looked - 3 * typos)
    let likely = counts.filter { $0.value >= needed }.sorted {
      $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value
    }
    return likely.prefix(Self.measuredMax).map { Int($0.key) }
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

  private static func key(_ form: SearchForm, _ first: UInt32, _ second: UInt32) -> UInt64 {
    let (one, two) = (first & FormedText.scalarMask, second & FormedText.scalarMask)
    return UInt64(form.rawValue) << 42 | UInt64(one) << 21 | UInt64(two)
  }

  // MARK: Making it

  /// Form after form, so that only one form's pairs have to be sorted at a time: the form is the highest part of a key.
  init(_ names: [String]) {
    let folded = names.map { FoldedText($0, unitsMax: Self.unitsMax) }
    var pairs: [(key: UInt64, entry: Int32)] = []
    for form in SearchForm.allCases {
      pairs.removeAll(keepingCapacity: true)
      for (text, folded) in folded.enumerated() {
        if let formed = form.units(of: folded)?.units { add(formed, form, text, &pairs) }
      }
      pairs.sort { $0.key == $1.key ? $0.entry < $1.entry : $0.key < $1.key }
      for (key, entry) in pairs { post(key, entry) }
    }
    lists.append(Int32(postings.count))
  }

  private mutating func add(
    _ formed: [UInt32], _ form: SearchForm, _ text: Int, _ pairs: inout [(key: UInt64, entry: Int32)]
  ) {
    let entry = Int32(texts.count)
    texts.append(Int32(text))
    units += formed
    starts.append(Int32(units.count))
    // Nobody asks for half a syllable or for one sound.
    if form == .written || form == .initials { for unit in formed { pairs.append((Self.key(form, unit, 0), entry)) } }
    for place in formed.indices.dropLast() { pairs.append((Self.key(form, formed[place], formed[place + 1]), entry)) }
  }

  private mutating func post(_ key: UInt64, _ entry: Int32) {
    if keys.last != key {
      keys.append(key)
      lists.append(Int32(postings.count))
    } else if postings.last == entry {
      return
    }
    postings.append(entry)
  }
}
