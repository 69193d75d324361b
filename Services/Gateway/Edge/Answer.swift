package import Contracts
import HTTP
import JSON

/// What a flow answers, and what it was made of.
struct Answer {
  var response: HTTPResponse
  /// What it was made of. When one of these changes, a kept copy is void.
  var sources: Set<Ingredient> = []
  /// Parts are missing because a service did not answer; it is not to be kept, here or elsewhere.
  var isPartial = false
  /// So much is missing that a whole answer is worth more, although it is older.
  var yieldsToKept = false
  /// The same for who has no session, where this one is of a user: written if it is to be kept.
  var forAnybody: (() -> HTTPResponse)?

  init(_ response: HTTPResponse, madeOf sources: Set<Ingredient> = [], isPartial: Bool = false) {
    self.response = response
    self.sources = sources
    self.isPartial = isPartial
  }

  static func json(
    _ value: some JSONWritable, _ status: HTTPStatus = .ok, madeOf sources: Set<Ingredient> = [],
    isPartial: Bool = false, capacity: Int = 2_048
  ) -> Answer {
    var json = JSONWriter(into: SpareBody.take(capacity))
    json.value(value)
    return Answer(.json(json.bytes, status), madeOf: sources, isPartial: isPartial)
  }

  /// Gives way to a whole answer that is kept, if `isLacking`.
  func yielding(if isLacking: Bool) -> Answer {
    var answer = self
    answer.yieldsToKept = isLacking
    return answer
  }

  static var nothing: Answer { Answer(.noContent) }

  func with(_ name: String, _ value: String) -> Answer {
    var answer = self
    answer.response = response.with(name, value)
    return answer
  }
}

/// Something that answers are made of and that changes by itself.
nonisolated package enum Ingredient: Hashable, Sendable {
  /// The directory of cinemas.
  case directory
  /// The programme of one cinema.
  case programme(CinemaID)
  /// All programmes.
  case schedule
  /// One festival.
  case festival(FestivalID)
  /// Which festivals there are.
  case festivals
  /// The catalogue of films.
  case catalogue
}

extension Answer {
  /// The same, recognised by its bytes when a client has it already.
  var tagged: Answer {
    var answer = self
    answer.response.tag = .ofBody
    return answer
  }
}
