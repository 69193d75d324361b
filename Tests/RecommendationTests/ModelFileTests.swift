import Clocks
import Testing

@testable import Recommendation

@Suite("Model files")
struct ModelFileTests {
  private func bytes(_ form: Training.Form) throws -> [UInt8] {
    try Training(form: form).model(of: People(20, films: 30, seed: 9).ratings).bytes
  }

  @Test("a model that was written reads back the same", arguments: Training.Form.allCases)
  func roundTrip(form: Training.Form) throws {
    let model = try Training(form: form).model(of: People(20, films: 30, seed: 9).ratings)
    let again = try RecommendationModel(model.bytes)
    #expect(again.bytes == model.bytes)
    #expect(again.facts == model.facts)
    #expect(again.items == model.items)
    #expect(again.place(of: model.items[3]) == 3)
    let taste = [(place: 0, weight: Float(1)), (place: 3, weight: Float(0.5))]
    #expect(again.scores(of: taste) == model.scores(of: taste))
  }

  @Test("a file that is cut off or changed anywhere is refused, never trusted", arguments: Training.Form.allCases)
  func damaged(form: Training.Form) throws {
    let bytes = try bytes(form)
    var random = SeededRandom(seed: 10)
    for _ in 0..<300 {
      var wrong = bytes
      wrong[Int.random(in: 0..<wrong.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      #expect(throws: ModelFileError.self) { try RecommendationModel(wrong) }
      let end = Int.random(in: 0..<bytes.count, using: &random)
      #expect(throws: ModelFileError.self) { try RecommendationModel(Array(bytes[..<end])) }
    }
    #expect(throws: ModelFileError.self) { try RecommendationModel(bytes + [0]) }
  }

  @Test("a file that was made to deceive is refused too", arguments: Training.Form.allCases)
  func deceiving(form: Training.Form) throws {
    let bytes = try bytes(form)
    var random = SeededRandom(seed: 11)
    for _ in 0..<300 {
      // The checksum is right, so that only what is said inside can be wrong.
      var wrong = Array(bytes.dropLast(8))
      wrong[Int.random(in: 8..<min(400, wrong.count), using: &random)] = UInt8.random(in: 0...255, using: &random)
      if Bool.random(using: &random) { wrong.removeLast(Int.random(in: 0..<wrong.count - 8, using: &random)) }
      let sealed = RecommendationModel.sealed(wrong)
      if let model = try? RecommendationModel(sealed), !model.items.isEmpty {
        _ = model.scores(of: [(place: 0, weight: 1)])
        _ = model.contribution(of: 0, to: model.items.count - 1)
      }
    }
  }

  @Test("2,000 items are 16 MB")
  func size() throws {
    var ratings = Ratings()
    for item in 0..<2_000 { ratings.add(user: "\(item % 3)", item: "f\(item)", value: 4) }
    let bytes = try Training().model(of: ratings).bytes
    #expect(bytes.count > 16_000_000 && bytes.count < 16_100_000)
  }
}
