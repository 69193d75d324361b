import HTTP
import JSON

/// The API's description, OpenAPI 3.1, made from the same declarations as its routes.
struct APIDescription {
  let document: JSONObject

  init(_ endpoints: [Endpoint], version: String) {
    var definitions: [String: JSONObject] = [:]
    var paths = JSONObject()
    for endpoint in endpoints {
      let operation = Self.operation(endpoint, &definitions)
      var item = paths[endpoint.path]?.object ?? JSONObject()
      item[endpoint.method.rawValue.lowercased()] = .object(operation)
      paths[endpoint.path] = .object(item)
    }
    definitions.merge(Problem.schema.definitions) { first, _ in first }
    let schemas = JSONObject(definitions.sorted { $0.key < $1.key }.map { ($0.key, .object($0.value)) })
    let info: JSONValue = [
      "title": "Odi", "version": .string(version),
      "summary": "Which film plays at the independent cinemas near you, and when.",
      "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
    ]
    let tags = Endpoint.Topic.allCases.map { topic -> JSONValue in ["name": .string(topic.rawValue)] }
    let session: JSONValue = ["type": "http", "scheme": "bearer"]
    let components: JSONValue = ["schemas": .object(schemas), "securitySchemes": ["session": session]]
    let server: JSONValue = ["url": "/"]
    let members: [(String, JSONValue)] = [
      ("openapi", "3.1.0"), ("info", info),
      ("jsonSchemaDialect", "https://spec.openapis.org/oas/3.1/dialect/base"), ("servers", .array([server])),
      ("tags", .array(tags)), ("paths", .object(paths)), ("components", components),
    ]
    document = JSONObject(members)
  }

  // MARK: One operation

  private static func operation(_ endpoint: Endpoint, _ definitions: inout [String: JSONObject]) -> JSONObject {
    var operation = JSONObject([
      ("operationId", .string(endpoint.name)), ("summary", .string(endpoint.summary)),
      ("tags", .array([.string(endpoint.topic.rawValue)])),
    ])
    let parameters =
      endpoint.parameters.map { parameter($0.name, in: "path", $0.summary, isRequired: true, $0.schema) }
      + endpoint.query.map { parameter($0.name, in: "query", $0.summary, isRequired: $0.isRequired, $0.schema) }
      + endpoint.fields.map { parameter($0.name, in: "header", $0.summary, isRequired: false, $0.schema) }
    if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
    if let body = endpoint.body {
      definitions.merge(body.schema.definitions) { first, _ in first }
      let forms = [(type: body.type, schema: body.schema)] + body.otherTypes
      let content = JSONObject(
        forms.map { form in (form.type, .object(JSONObject([("schema", form.schema.json)]))) })
      operation["requestBody"] = .object(
        JSONObject([("required", .bool(body.isRequired)), ("content", .object(content))]))
    }
    let session: JSONValue = ["session": .array([])]
    switch endpoint.access {
    case .everybody: break
    case .user: operation["security"] = .array([session])
    case .maybeUser: operation["security"] = .array([.object(JSONObject()), session])
    }
    var answers: [(String, JSONValue)] = []
    for answer in endpoint.answers {
      definitions.merge(answer.schema?.definitions ?? [:]) { first, _ in first }
      answers.append((String(answer.status.rawValue), Self.answer(answer, isShared: endpoint.isShared)))
    }
    for (status, summary) in refusals(of: endpoint) where !answers.contains(where: { $0.0 == status }) {
      answers.append((status, problem(summary)))
    }
    operation["responses"] = .object(JSONObject(answers.sorted { $0.0 < $1.0 }))
    return operation
  }

  private static func parameter(
    _ name: String, in place: String, _ summary: String, isRequired: Bool, _ schema: Schema
  ) -> JSONValue {
    var object = JSONObject([("name", .string(name)), ("in", .string(place))])
    if !summary.isEmpty { object["description"] = .string(summary) }
    if isRequired { object["required"] = true }
    object["schema"] = schema.json
    return .object(object)
  }

  private static func answer(_ answer: AnswerForm, isShared: Bool) -> JSONValue {
    var object = JSONObject([("description", .string(answer.summary))])
    if isShared, answer.status == .ok {
      let text: JSONValue = ["type": "string"]
      let tag: JSONValue = ["schema": text, "description": "Give it back as If-None-Match."]
      let caching: JSONValue = ["schema": text]
      object["headers"] = .object(JSONObject([("ETag", tag), ("Cache-Control", caching)]))
    }
    if let type = answer.type, let schema = answer.schema {
      let name = type.text.prefix { $0 != ";" }
      let form: JSONValue = ["schema": schema.json]
      object["content"] = .object(JSONObject([(String(name), form)]))
    }
    return .object(object)
  }

  private static func problem(_ summary: String) -> JSONValue {
    let form: JSONValue = ["schema": Problem.schema.json]
    return ["description": .string(summary), "content": ["application/problem+json": form]]
  }

  /// How an endpoint can say no.
  private static func refusals(of endpoint: Endpoint) -> [(String, String)] {
    var refusals: [(String, String)] = []
    if endpoint.isShared { refusals.append(("304", "You have it already.")) }
    refusals.append(("400", "Some parameters are not valid; `errors` names each."))
    if endpoint.access != .everybody { refusals.append(("401", "A session is needed, or this one has ended.")) }
    if endpoint.access != .everybody, endpoint.method != .get {
      refusals.append(("403", "A cookie signed for it and X-Odi-Request was missing."))
    }
    if endpoint.fields.contains(where: { $0.name == "X-Odi-Staff" }) {
      refusals.append(("403", "Only staff may; their token goes into X-Odi-Staff."))
    }
    if endpoint.path.hasPrefix("/v1/stations/{id}/") {
      refusals.append(("403", "By its rights the station may only be linked to."))
    }
    if !endpoint.parameters.isEmpty || endpoint.topic == .me || ["securityContact", "report"].contains(endpoint.name) {
      refusals.append(("404", "Nothing has this id."))
    }
    if !endpoint.types.isEmpty { refusals.append(("406", "It has no form that your Accept takes.")) }
    if endpoint.fields.contains(where: { $0.name == "Idempotency-Key" }) || endpoint.method == .get {
      refusals.append(
        ("409", "The same write is under way, there is no room for more, or you have asked something newer."))
    }
    if endpoint.path.hasPrefix("/v1/cinemas/{") {
      refusals.append(("410", "It was taken out of the directory; `replaced_by` names what is there instead."))
    }
    if endpoint.fields.contains(where: { $0.name == "If-Match" }) {
      refusals.append(("412", "It has changed since you read it."))
    }
    if endpoint.body != nil {
      refusals.append(("413", "The body is too large."))
      refusals.append(("415", "The body is no JSON."))
    }
    if endpoint.body != nil || endpoint.fields.contains(where: { $0.name == "Idempotency-Key" }) {
      refusals.append(("422", "The body is not valid, or its key belongs to another request."))
    }
    refusals.append(("429", "Too many requests; wait as long as Retry-After says."))
    refusals.append(("503", "A service that this needs does not answer; try again after Retry-After."))
    return refusals
  }

  // MARK: Serving it

  /// Routes for the description of these endpoints, which is made when somebody first reads it.
  static func register(_ endpoints: [Endpoint], version: String, on router: inout HTTPRouter) {
    let made = Once { APIDescription(endpoints, version: version).document }
    let description = Once { StaticContent(made.value.json, .json) }
    router.get("/openapi.json", summary: "This API, OpenAPI 3.1.") { _ in
      HTTPResponse(description.value).cached(.revalidate, tag: .given(description.value.tag))
    }
    let page = Once { StaticContent(Array(DocumentationPage.html(of: made.value).utf8), .html) }
    router.get("/docs", summary: "This API, for people.") { _ in
      HTTPResponse(page.value).cached(.revalidate, tag: .given(page.value.tag))
    }
    router.get("/problems/{kind}", summary: "What a problem's type means.") { (_: HTTPRequest, name: String) in
      guard let kind = Problem.Kind(rawValue: name) else {
        throw Problem(.notFound, "no problem of this server is of the type \(name)")
      }
      var json = JSONWriter(capacity: 128)
      json.object { json in
        json.field("type", "/problems/\(kind.rawValue)")
        json.field("title", kind.title)
        json.field("status", Int(kind.status.rawValue))
      }
      return HTTPResponse.json(json.bytes, .ok)
    }
  }
}

/// A value that is made when it is first asked for.
private final class Once<Value> {
  private let make: () -> Value
  private(set) lazy var value = make()

  init(_ make: @escaping () -> Value) { self.make = make }
}

extension JSONObject {
  nonisolated fileprivate var json: [UInt8] { JSONValue.object(self).json }
}

nonisolated extension Problem {
  /// RFC 9457, with ours.
  static var schema: Schema {
    let detail = Schema.object(
      [
        ("parameter", .string(), false), ("pointer", .string(), false), ("detail", .string(), true),
        ("value", .string(), false), ("did_you_mean", .string(), false),
      ], isOpen: true)
    return Schema.object(
      [
        ("type", .string(), true), ("title", .string(), true), ("status", .integer(400...599), true),
        ("detail", .string(), false), ("instance", .string(), false), ("trace_id", .string(), false),
        ("errors", .array(of: detail), false),
        ("replaced_by", .string("The id of what is there instead."), false),
      ], isOpen: true, summary: "What went wrong, and what to do about it (RFC 9457)."
    ).named("Problem")
  }
}
