import HTTP
import JSON

/// The API's answers, asked from inside: what a view paints first is written from the JSON that its script reads later.
struct OwnAPI {
  private let endpoints: [String: Endpoint]
  private let cache: AnswerCache

  /// - Parameter cache: what was answered while the services were there.
  init(_ endpoints: [Endpoint], kept cache: AnswerCache) {
    self.cache = cache
    self.endpoints = Dictionary(
      endpoints.filter { $0.method == .get && $0.access != .user }.map { ($0.path, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// What the endpoint declared as `pattern` answers to nobody in particular.
  func get(
    _ pattern: String, _ path: [String] = [], _ parameters: KeyValuePairs<String, String?> = [:], for asking: Asking,
    in language: Language
  ) async throws -> JSONValue {
    guard let endpoint = endpoints[pattern] else {
      throw Problem(.notFound, "this server has no \(pattern)")
    }
    let answer = try await endpoint.flow(
      asking.another(
        path: path, parameters: parameters.compactMap { name, value in value.map { (name, $0) } }, language: language))
    return try Self.read(answer.response, pattern)
  }

  /// What the API answers to the same question while a service is away, however old; nil if none was kept.
  func kept(
    _ path: String, _ parameters: KeyValuePairs<String, String>, in language: Language
  ) -> JSONValue? {
    let key = AnswerKey(path: path, language: language, query: parameters.map { ($0.key, $0.value) })
    return cache.lastGood(key).flatMap { try? Self.read($0.response, path) }
  }

  private static func read(_ response: HTTPResponse, _ pattern: String) throws -> JSONValue {
    let bytes: [UInt8]
    switch response.body {
    case .bytes(let body): bytes = body
    case .content(let content): bytes = Array(content.bytes)
    case .none, .stream: return .null
    }
    // Our own answer is as large as it is; the usual limits are for strangers'.
    var limits = JSONLimits()
    limits.bytes = max(limits.bytes, bytes.count)
    limits.values = max(limits.values, bytes.count)
    do {
      return try JSONValue(parsing: bytes, limits: limits)
    } catch {
      throw Problem(.internal, "the answer of \(pattern) cannot be read: \(error)")
    }
  }
}
