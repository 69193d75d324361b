package import HTTP
import JSON
import RPC

/// One method on one path, declared once: what it takes, who may ask, what it answers, and which flow does it.
///
/// Routes, the API's description and the tests of conventions are all made from a list of these.
package final class Endpoint {
  typealias Flow = @MainActor (Asking) async throws -> Answer
  /// The same flow without a task, for requests that one call answers: begins it, and tells its ending once. Nil if this
  /// request takes more, or if nobody can be asked at this moment; then nothing was begun.
  typealias DirectFlow = @MainActor (Asking, @escaping @MainActor (DirectEnding) -> Void) throws -> (any CallUnderWay)?

  package let method: HTTPMethod
  package let path: String
  /// What generated clients call it: `nearbyCinemas`.
  package let name: String
  let summary: String
  let topic: Topic
  package let access: Access
  /// In the order in which they stand in the path.
  let parameters: [PathField]
  let query: [any AnyQueryField]
  let fields: [RequestField]
  let body: BodyForm?
  let answers: [AnswerForm]
  /// Of what types its answers are, when all is well: `application/json`.
  package let types: [String]
  /// Whether an answer may serve others who ask the same, in the same language.
  package let isShared: Bool
  /// Whether `lang` may name the language of titles.
  let takesLanguage: Bool
  let flow: Flow
  let direct: DirectFlow?

  /// Under which heading the description lists it.
  enum Topic: String, CaseIterable {
    case cinemas, showtimes, films, search, me, live, service
    case dining, festivals, radio
  }

  /// Who may ask.
  package enum Access {
    case everybody
    /// Whoever comes with a session, and nobody else.
    case user
    /// Everybody; with a session, it is taken notice of.
    case maybeUser
  }

  init(
    _ method: HTTPMethod, _ path: String, _ name: String, _ summary: String, _ topic: Topic,
    access: Access = .everybody, parameters: [PathField] = [], query: [any AnyQueryField] = [],
    fields: [RequestField] = [], body: BodyForm? = nil, answers: [AnswerForm], isShared: Bool = false,
    takesLanguage: Bool? = nil,
    flow: @escaping Flow, direct: DirectFlow? = nil
  ) {
    self.method = method
    self.path = path
    self.name = name
    self.summary = summary
    self.topic = topic
    self.access = access
    self.parameters = parameters
    self.takesLanguage = takesLanguage ?? isShared
    self.query = self.takesLanguage ? query + [QueryField<Language?>.language] : query
    self.fields = fields
    self.body = body
    self.answers = answers
    types = answers.filter { $0.status.rawValue < 300 }.compactMap { answer in
      answer.type.map { String($0.text.prefix { $0 != ";" }) }
    }
    self.isShared = isShared
    self.flow = flow
    self.direct = direct
  }

  package var takesBody: Bool { body != nil }
  package var takesJSON: Bool { body?.type == "application/json" }
  package var queryNames: [String] { query.map(\.name) }
  package var requiredNames: [String] { query.filter(\.isRequired).map(\.name) }
}

/// How a flow without a task ended.
enum DirectEnding {
  case answered(Answer)
  case failed(RPCError)
  /// The call's answer is not enough: the flow has to be gone through.
  case needsMore
}

/// A part of a path that varies.
nonisolated struct PathField: Sendable {
  let name: String
  let summary: String
  let schema: Schema

  init(_ name: String, _ summary: String, schema: Schema) {
    self.name = name
    self.summary = summary
    self.schema = schema
  }
}

/// A field of the request's header that matters to an endpoint.
nonisolated struct RequestField: Sendable {
  let name: String
  let summary: String
  let schema: Schema

  init(_ name: String, _ summary: String, schema: Schema = .string()) {
    self.name = name
    self.summary = summary
    self.schema = schema
  }

  static let idempotencyKey = RequestField(
    "Idempotency-Key", "Names this write, so that sending it again does not do it twice; best a UUID.",
    schema: .string(pattern: "^[!-~]+$", length: 1...255))
  static let strangersKey = RequestField(
    "Idempotency-Key", "Names this write, so that sending it again does not do it twice: a UUID, made anew.",
    schema: .string(
      pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$", length: 36...36))
  static let ifMatch = RequestField(
    "If-Match", "The ETag of what is to be changed.", schema: .string(examples: ["\"3\""]))
}

/// What a body must look like.
nonisolated struct BodyForm: Sendable {
  var isRequired = true
  var schema: Schema
  var type = "application/json"
  var bytesMax = 64 << 10
  /// Other types in which the same can be sent.
  var otherTypes: [(type: String, schema: Schema)] = []
}

/// One of the answers that an endpoint gives when all is well.
nonisolated struct AnswerForm: Sendable {
  let status: HTTPStatus
  let summary: String
  /// Nil: no body.
  let type: MediaType?
  let schema: Schema?

  static func json(_ summary: String, _ schema: Schema) -> AnswerForm { json(.ok, summary, schema) }

  static func json(_ status: HTTPStatus, _ summary: String, _ schema: Schema) -> AnswerForm {
    AnswerForm(status: status, summary: summary, type: .json, schema: schema)
  }

  static func other(_ type: MediaType, _ summary: String, status: HTTPStatus = .ok) -> AnswerForm {
    AnswerForm(status: status, summary: summary, type: type, schema: .string())
  }

  static func nothing(_ status: HTTPStatus, _ summary: String) -> AnswerForm {
    AnswerForm(status: status, summary: summary, type: nil, schema: nil)
  }
}
