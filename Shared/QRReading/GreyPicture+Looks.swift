/// Other ways to look at a picture in which nothing was found: a telephone's are grainy, unsharp, or so large that what
/// a grain of paper does to them is larger than a square.
extension GreyPicture {
  /// A way to look, and how many squares of what it gives stand for one of the picture's.
  struct Look {
    var picture: GreyPicture
    var enlarged = 1
  }

  /// How often a picture is looked at, the cheapest first: as it is, then as each of these makes it.
  static let looks: [@Sendable (GreyPicture) -> Look?] = [
    { Look(picture: $0) },
    // The mean of nine takes the grain and leaves edges where they are.
    { Look(picture: $0.softened(radius: 1)) },
    // Small squares that run into each other: twice as large, and darker where they are darker than what is around.
    { picture in
      guard picture.grey.count * 4 <= doubledSquaresMax else { return nil }
      return Look(picture: picture.softened(radius: 1).doubled().sharpened(radius: 8), enlarged: 2)
    },
    { $0.shrunk(by: 2).map { Look(picture: $0.softened(radius: 1)) } },
    { $0.shrunk(by: 4).map { Look(picture: $0.softened(radius: 1)) } },
    // Light on dark, as on a screen at night.
    { Look(picture: $0.inverted()) },
  ]

  /// A code in a larger picture has large squares, or is too small a part of it to be what was photographed.
  private static let doubledSquaresMax = 4_000_000
  /// The smallest picture that a shrunk one may be: the smallest code with its border, three to a square, in a third of it.
  private static let shrunkSideMin = 240

  /// Each is the mean of those around it, `radius` on each side; the border goes on outside as it is.
  func softened(radius: Int) -> GreyPicture {
    with(grey: Self.means(Self.means(grey, width: width, radius: radius), width: height, radius: radius))
  }

  /// The mean along each row, written as columns, so that twice is both directions and upright again.
  private static func means(_ grey: [UInt8], width: Int, radius: Int) -> [UInt8] {
    let height = grey.count / max(1, width)
    let count = 2 * radius + 1
    return [UInt8](unsafeUninitializedCapacity: grey.count) { means, filled in
      grey.withUnsafeBufferPointer { grey in
        for row in 0..<height {
          let line = UnsafeBufferPointer(rebasing: grey[row * width..<(row + 1) * width])
          var sum = Int(line[0]) * radius
          for column in 0...radius { sum += Int(line[min(column, width - 1)]) }
          for column in 0..<width {
            means.initializeElement(at: column * height + row, to: UInt8((sum + radius) / count))
            sum += Int(line[min(column + radius + 1, width - 1)]) - Int(line[max(column - radius, 0)])
          }
        }
      }
      filled = grey.count
    }
  }

  /// Four for each, and what is between two is between them: each is three quarters the nearest and a quarter the next.
  func doubled() -> GreyPicture {
    func line(_ line: Int, of count: Int) -> (near: Int, next: Int) {
      (line / 2, max(0, min(count - 1, line / 2 + (line % 2 == 0 ? -1 : 1))))
    }
    let columns = (0..<width * 2).map { line($0, of: width) }
    let grey = [UInt8](unsafeUninitializedCapacity: grey.count * 4) { doubled, filled in
      self.grey.withUnsafeBufferPointer { grey in
        for row in 0..<height * 2 {
          let (near, next) = line(row, of: height)
          for column in columns {
            let above = 3 * Int(grey[near * width + column.near]) + Int(grey[near * width + column.next])
            let below = 3 * Int(grey[next * width + column.near]) + Int(grey[next * width + column.next])
            doubled.initializeElement(at: filled, to: UInt8((3 * above + below + 8) / 16))
            filled += 1
          }
        }
      }
    }
    return GreyPicture(width: width * 2, height: height * 2, grey: grey, scale: scale)
  }

  /// What differs from its surroundings differs four times as much.
  func sharpened(radius: Int) -> GreyPicture {
    let means = softened(radius: radius).grey
    return with(
      grey: [UInt8](unsafeUninitializedCapacity: grey.count) { sharp, filled in
        for place in grey.indices {
          let value = 4 * Int(grey[place]) - 3 * Int(means[place])
          sharp.initializeElement(at: place, to: UInt8(max(0, min(255, value))))
        }
        filled = grey.count
      })
  }

  /// The mean of `side` by `side` for each; nothing if too little were left.
  func shrunk(by side: Int) -> GreyPicture? {
    let (width, height) = (width / side, height / side)
    guard min(width, height) >= Self.shrunkSideMin else { return nil }
    let grey = [UInt8](unsafeUninitializedCapacity: width * height) { shrunk, filled in
      self.grey.withUnsafeBufferPointer { grey in
        for row in 0..<height {
          for column in 0..<width {
            var sum = 0
            for down in 0..<side {
              let start = (row * side + down) * self.width + column * side
              for across in 0..<side { sum += Int(grey[start + across]) }
            }
            shrunk.initializeElement(at: filled, to: UInt8(sum / (side * side)))
            filled += 1
          }
        }
      }
    }
    return GreyPicture(width: width, height: height, grey: grey, scale: scale * side)
  }

  package func inverted() -> GreyPicture { with(grey: grey.map { 255 - $0 }) }

  private func with(grey: [UInt8]) -> GreyPicture {
    GreyPicture(width: width, height: height, grey: grey, scale: scale)
  }
}
