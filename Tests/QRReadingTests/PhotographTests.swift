import Foundation
import QR
import QRReading
import Testing

/// Codes as a telephone sees them: turned, from the side, unsharp, grainy, under a lamp. Made by code, the same each time.
@Suite("Photographs of QR codes")
struct PhotographTests {
  /// How a picture was taken.
  struct Shot {
    /// Degrees.
    var turn = 0.0
    /// From how far to the side and from below: how much smaller the far edge is.
    var side = 0.0
    var below = 0.0
    /// Pixels around each that run into it.
    var blur = 0
    /// Greys that a pixel is off by, at most.
    var noise = 0.0
    /// How much of the light is lost from one corner to the other.
    var shade = 0.0
    var squares = 5.0
  }

  private static let width = 240

  private struct Chance {
    var state: UInt64

    /// -1...1
    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 33) / Double(1 << 30) - 1
    }
  }

  /// The code on a grey table, as `shot` sees it.
  private static func photograph(_ code: QRCode, _ shot: Shot, seed: UInt64) -> GreyPicture {
    let (sine, cosine) = (sin(shot.turn * .pi / 180), cos(shot.turn * .pi / 180))
    let half = Double(width) / 2
    var light = [Double](repeating: 0, count: width * width)
    for row in 0..<width {
      for column in 0..<width {
        let (x, y) = (Double(column) - half, Double(row) - half)
        let depth = 1 + (shot.side * x + shot.below * y) / Double(width)
        let across = (cosine * x + sine * y) / depth / shot.squares + Double(code.size) / 2
        let down = (cosine * y - sine * x) / depth / shot.squares + Double(code.size) / 2
        let (u, v) = (Int(across.rounded(.down)), Int(down.rounded(.down)))
        let isPaper = (-4..<code.size + 4).contains(u) && (-4..<code.size + 4).contains(v)
        light[row * width + column] = !isPaper ? 150 : code[u, v] ? 25 : 235
      }
    }
    light = blurred(light, shot.blur)
    var chance = Chance(state: seed)
    let grey = light.indices.map { place -> UInt8 in
      let along = Double(place % width + place / width) / Double(2 * width)
      let seen = light[place] * (1 - shot.shade * along) + chance.next() * shot.noise
      return UInt8(max(0, min(255, seen)))
    }
    return GreyPicture(width: width, height: width, grey: grey)
  }

  /// The mean of the pixels around each, along rows and then along columns.
  private static func blurred(_ light: [Double], _ radius: Int) -> [Double] {
    guard radius > 0 else { return light }
    var light = light
    for step in [1, width] {
      var result = light
      for place in light.indices {
        let along = step == 1 ? place % width : place / width
        let reach = max(-radius, -along)...min(radius, width - 1 - along)
        result[place] = reach.reduce(0) { $0 + light[place + $1 * step] } / Double(reach.count)
      }
      light = result
    }
    return light
  }

  private static let kinds: [(name: String, shots: [Shot])] = [
    ("turned", stride(from: 0.0, to: 360, by: 24).map { Shot(turn: $0) }),
    (
      "from the side",
      [0.2, 0.35, 0.5].flatMap { far in
        [Shot(side: far), Shot(below: far), Shot(turn: 15, side: far), Shot(side: far * 0.7, below: -far * 0.7)]
      }
    ),
    ("unsharp", (1...3).flatMap { blur in [0.0, 12, 45].map { Shot(turn: $0, blur: blur) } }),
    ("grainy", [20.0, 40, 60, 80].flatMap { noise in [0.0, 12, 30].map { Shot(turn: $0, noise: noise) } }),
    ("under a lamp", [0.3, 0.5, 0.7, 0.85].flatMap { shade in [0.0, 20, 75].map { Shot(turn: $0, shade: shade) } }),
    (
      "all of it",
      (0..<15).map { number in
        Shot(
          turn: Double(number * 23), side: 0.05 * Double(number % 6), below: -0.04 * Double(number % 5), blur: 1,
          noise: 25, shade: 0.4)
      }
    ),
  ]

  /// Those that are found of each kind: all. Fewer is a step back.
  private static let least = [15, 12, 9, 12, 12, 15]

  @Test("of codes photographed in each way as many are read as before, and none is read wrongly")
  func recall() throws {
    var told: [String] = []
    var (all, read) = (0, 0)
    for (number, kind) in Self.kinds.enumerated() {
      var found = 0
      for (place, shot) in kind.shots.enumerated() {
        let text = "https://odi.example/t/\(number)-\(place)"
        let code = try QRCode(text, correction: .medium)
        let texts = QRReader.codes(in: Self.photograph(code, shot, seed: UInt64(number * 100 + place))).map(\.text)
        #expect(texts.isEmpty || texts == [text], "\(kind.name) \(place): \(texts)")
        if texts == [text] { found += 1 }
      }
      told.append("\(kind.name) \(found)/\(kind.shots.count)")
      (all, read) = (all + kind.shots.count, read + found)
      #expect(found >= Self.least[number], "\(kind.name): \(found) of \(kind.shots.count)")
    }
    print("QR codes read in photographs: \(read) of \(all) (\(told.joined(separator: ", ")))")
  }

  @Test("a grainy photograph of a large camera is read, and corners are told in its own squares")
  func large() throws {
    let code = try QRCode("https://odi.example/t/large", correction: .medium)
    let small = Self.photograph(code, Shot(turn: 12, blur: 1), seed: 7)
    let factor = 4
    let width = small.width * factor
    var chance = Chance(state: 8)
    let grey = (0..<width * width).map { place -> UInt8 in
      let light = Double(small.grey[place / width / factor * small.width + place % width / factor])
      return UInt8(max(0, min(255, light + chance.next() * 80)))
    }
    let found = QRReader.codes(in: GreyPicture(width: width, height: width, grey: grey))
    #expect(found.map(\.text) == ["https://odi.example/t/large"])
    // The code is in the middle, five squares to one of its own, and each of those is four here.
    let points = try #require(found.first).points
    let half = Double(code.size * 5 * factor) / 2 * 1.3
    #expect(points.count == 4)
    for point in points {
      #expect(abs(Double(point.x - width / 2)) < half && abs(Double(point.y - width / 2)) < half)
      #expect(max(abs(point.x - width / 2), abs(point.y - width / 2)) > code.size * 5 * factor / 4)
    }
  }
}
