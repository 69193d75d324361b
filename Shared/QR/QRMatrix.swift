/// The squares of a code while it is drawn.
struct QRMatrix {
  let version: Int
  let size: Int
  private(set) var dark: [Bool]
  /// Squares that are the same in every code of this version; masks leave them alone.
  private var isFunction: [Bool]

  init(version: Int) {
    self.version = version
    size = version * 4 + 17
    dark = Array(repeating: false, count: size * size)
    isFunction = dark
  }

  private mutating func setFunction(_ column: Int, _ row: Int, _ isDark: Bool) {
    guard (0..<size).contains(column), (0..<size).contains(row) else { return }
    dark[row * size + column] = isDark
    isFunction[row * size + column] = true
  }

  // MARK: What every code has

  mutating func placeFunctionPatterns() {
    for place in 0..<size {
      setFunction(6, place, place % 2 == 0)
      setFunction(place, 6, place % 2 == 0)
    }
    for (column, row) in [(3, 3), (size - 4, 3), (3, size - 4)] { placeFinder(column, row) }
    let marks = alignmentPlaces
    for (i, row) in marks.enumerated() {
      for (j, column) in marks.enumerated() {
        let isAtFinder = (i == 0 && (j == 0 || j == marks.count - 1)) || (i == marks.count - 1 && j == 0)
        if !isAtFinder { placeAlignment(column, row) }
      }
    }
    // Kept free for now; each mask has its own.
    placeFormat(.low, 0)
    placeVersion()
  }

  /// A large eye, with its light border.
  private mutating func placeFinder(_ column: Int, _ row: Int) {
    for down in -4...4 {
      for right in -4...4 {
        let distance = max(abs(right), abs(down))
        setFunction(column + right, row + down, distance != 2 && distance != 4)
      }
    }
  }

  private mutating func placeAlignment(_ column: Int, _ row: Int) {
    for down in -2...2 {
      for right in -2...2 { setFunction(column + right, row + down, max(abs(right), abs(down)) != 1) }
    }
  }

  private var alignmentPlaces: [Int] {
    guard version > 1 else { return [] }
    let count = version / 7 + 2
    let step = version == 32 ? 26 : (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    return [6] + (0..<count - 1).reversed().map { size - 7 - $0 * step }
  }

  /// Correction and mask, twice, with correction bits of their own.
  mutating func placeFormat(_ correction: QRCorrection, _ mask: Int) {
    let data = correction.formatBits << 3 | mask
    var remainder = data
    for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
    let bits = (data << 10 | remainder) ^ 0x5412
    func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
    for place in 0...5 { setFunction(8, place, bit(place)) }
    setFunction(8, 7, bit(6))
    setFunction(8, 8, bit(7))
    setFunction(7, 8, bit(8))
    for place in 9..<15 { setFunction(14 - place, 8, bit(place)) }
    for place in 0..<8 { setFunction(size - 1 - place, 8, bit(place)) }
    for place in 8..<15 { setFunction(8, size - 15 + place, bit(place)) }
    setFunction(8, size - 8, true)
  }

  private mutating func placeVersion() {
    guard version >= 7 else { return }
    var remainder = version
    for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
    let bits = version << 12 | remainder
    for place in 0..<18 {
      let isDark = bits >> place & 1 == 1
      setFunction(size - 11 + place % 3, place / 3, isDark)
      setFunction(place / 3, size - 11 + place % 3, isDark)
    }
  }

  // MARK: The words

  /// In columns of two, up and down in turns, from the right.
  mutating func place(_ words: [UInt8]) {
    var bit = 0
    var right = size - 1
    while right >= 1 {
      if right == 6 { right = 5 }
      let goesUp = (right + 1) & 2 == 0
      for step in 0..<size {
        let row = goesUp ? size - 1 - step : step
        for column in [right, right - 1] where !isFunction[row * size + column] && bit < words.count * 8 {
          dark[row * size + column] = words[bit / 8] >> (7 - UInt8(bit % 8)) & 1 == 1
          bit += 1
        }
      }
      right -= 2
    }
  }

  mutating func apply(_ mask: Int) {
    for row in 0..<size {
      for column in 0..<size where !isFunction[row * size + column] {
        let turns =
          switch mask {
          case 0: (column + row) % 2 == 0
          case 1: row % 2 == 0
          case 2: column % 3 == 0
          case 3: (column + row) % 3 == 0
          case 4: (column / 3 + row / 2) % 2 == 0
          case 5: column * row % 2 + column * row % 3 == 0
          case 6: (column * row % 2 + column * row % 3) % 2 == 0
          default: ((column + row) % 2 + column * row % 3) % 2 == 0
          }
        if turns { dark[row * size + column].toggle() }
      }
    }
  }

  // MARK: How hard it is to read

  /// The standard's points: long runs, blocks, what looks like an eye, too much of one colour.
  var penalty: Int {
    var points = 0
    for line in 0..<size {
      points += linePenalty { dark[line * size + $0] }
      points += linePenalty { dark[$0 * size + line] }
    }
    for row in 0..<size - 1 {
      for column in 0..<size - 1 {
        let square = dark[row * size + column]
        if square == dark[row * size + column + 1], square == dark[(row + 1) * size + column],
          square == dark[(row + 1) * size + column + 1]
        {
          points += 3
        }
      }
    }
    let share = dark.count { $0 } * 20 - size * size * 10
    return points + abs(share) / (size * size) * 10
  }

  private func linePenalty(_ square: (Int) -> Bool) -> Int {
    var points = 0
    var run = 0
    // The last eleven squares as bits: an eye with its light side is 10111010000 or the other way round.
    var window = 0
    for place in 0..<size {
      if place > 0, square(place) == square(place - 1) { run += 1 } else { run = 1 }
      if run == 5 { points += 3 } else if run > 5 { points += 1 }
      window = (window << 1 | (square(place) ? 1 : 0)) & 0x7FF
      if place >= 10, window == 0b101_1101_0000 || window == 0b000_0101_1101 { points += 40 }
    }
    return points
  }
}

extension QRCorrection {
  fileprivate var formatBits: Int {
    switch self {
    case .low: 1
    case .medium: 0
    case .quartile: 3
    case .high: 2
    }
  }
}
