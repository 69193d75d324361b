/// Finds who answers a request by its method and path.
///
///     var router = HTTPRouter()
///     router.get("/v1/cinemas/{id}/days", query: ["from", "to"]) { (request, id: CinemaID) in … }
///
/// A segment in braces is a parameter, typed by the handler's arguments; it may have an ending, as in `{id}.ics`. A literal
/// segment wins over one with an ending, and that over a plain parameter. Nothing is matched by prefix, so no path
/// reaches what was not registered.
nonisolated package struct HTTPRouter {
  /// All routes in the order of their registration.
  package private(set) var routes: [HTTPRoute] = []
  private let root = RouteNode()
  /// Who answers what nothing else does, and what of it.
  private var elsewhere: (route: HTTPRoute, takes: (HTTPHead) -> Bool)?

  package init() {}

  // MARK: Registering

  package mutating func get<each Parameter: PathParameter>(
    _ pattern: String, query: [QueryParameter] = [], summary: String = "",
    _ handler: @escaping @MainActor (HTTPRequest, repeat each Parameter) throws -> HTTPResponse
  ) {
    on(.get, pattern, query: query, summary: summary, handler)
  }

  package mutating func get<each Parameter: PathParameter>(
    _ pattern: String, query: [QueryParameter] = [], summary: String = "",
    _ handler: @escaping @MainActor (HTTPRequest, repeat each Parameter) async throws -> HTTPResponse
  ) {
    on(.get, pattern, query: query, summary: summary, handler)
  }

  /// A handler that answers at once. It runs while the request is read and costs no task.
  package mutating func on<each Parameter: PathParameter>(
    _ method: HTTPMethod, _ pattern: String, query: [QueryParameter] = [], checksQuery: Bool = true,
    summary: String = "", bodyLimit: Int = HTTPLimits().bodyBytes,
    _ handler: @escaping @MainActor (HTTPRequest, repeat each Parameter) throws -> HTTPResponse
  ) {
    add(
      method, pattern, query, checksQuery, summary, bodyLimit, takes: Self.count(repeat (each Parameter).self),
      .immediate { request in
        var captures = PathCaptures(request)
        return try handler(request, repeat try captures.next((each Parameter).self))
      })
  }

  /// A handler that may wait. If it does not, its answer leaves as soon as that of an immediate one.
  package mutating func on<each Parameter: PathParameter>(
    _ method: HTTPMethod, _ pattern: String, query: [QueryParameter] = [], checksQuery: Bool = true,
    summary: String = "", bodyLimit: Int = HTTPLimits().bodyBytes,
    _ handler: @escaping @MainActor (HTTPRequest, repeat each Parameter) async throws -> HTTPResponse
  ) {
    add(
      method, pattern, query, checksQuery, summary, bodyLimit, takes: Self.count(repeat (each Parameter).self),
      .replying { reply in
        reply.begin {
          var captures = PathCaptures(reply.request)
          return try await handler(reply.request, repeat try captures.next((each Parameter).self))
        }
      })
  }

  /// For who registers routes from a list: the handler asks the request for its `pathParameters`, and begins a task if it
  /// needs one. `admit` is asked about a request with a body before that comes, and about no other.
  package mutating func on(
    _ method: HTTPMethod, _ pattern: String, query: [QueryParameter], checksQuery: Bool, summary: String,
    bodyLimit: Int, admit: HTTPAdmission? = nil, replying handler: @escaping @MainActor (HTTPReply) -> Void
  ) {
    let count = PathSegment.parse(pattern).count { $0.parameter != nil }
    add(method, pattern, query, checksQuery, summary, bodyLimit, takes: count, admit: admit, .replying(handler))
  }

  /// Who answers where nothing is registered, as far as it takes that: for who wants to say in words of its own that there is
  /// nothing. It is at no path, and does not hide that something answers to another method.
  package mutating func elsewhere(
    _ method: HTTPMethod, query: [QueryParameter], checksQuery: Bool, summary: String, bodyLimit: Int,
    takes: @escaping (HTTPHead) -> Bool, replying handler: @escaping @MainActor (HTTPReply) -> Void
  ) {
    let route = HTTPRoute(
      method: method, pattern: "/*", query: query, checksQuery: checksQuery, summary: summary, bodyLimit: bodyLimit,
      parameters: [], number: routes.count, admit: nil, handler: .replying(handler))
    elsewhere = (route, takes)
    routes.append(route)
  }

  private static func count<each Parameter>(_ types: repeat (each Parameter).Type) -> Int {
    var count = 0
    for _ in repeat each types { count += 1 }
    return count
  }

  private mutating func add(
    _ method: HTTPMethod, _ pattern: String, _ query: [QueryParameter], _ checksQuery: Bool, _ summary: String,
    _ bodyLimit: Int, takes count: Int, admit: HTTPAdmission? = nil, _ handler: HTTPHandler
  ) {
    let segments = PathSegment.parse(pattern)
    let parameters = segments.compactMap(\.parameter)
    precondition(parameters.count == count, "\(pattern) has \(parameters.count) parameters, its handler takes \(count)")
    precondition(count <= PathCaptures.max, "\(pattern) has more than \(PathCaptures.max) parameters")
    let route = HTTPRoute(
      method: method, pattern: pattern, query: query, checksQuery: checksQuery, summary: summary,
      bodyLimit: bodyLimit, parameters: parameters, number: routes.count, admit: admit, handler: handler)
    let node = segments.reduce(root) { $0.child(for: $1) }
    precondition(node.route(for: method) == nil, "\(method.rawValue) \(pattern) is registered twice")
    node.routes.append(route)
    routes.append(route)
  }

  // MARK: Finding

  enum Match {
    case found(HTTPRoute, SIMD8<UInt16>)
    /// Something answers there, but not to this method.
    case otherMethods([HTTPMethod])
    /// It is there without the slash at the end.
    case withoutSlash
    case nothing
  }

  func match(_ head: HTTPHead) -> Match {
    let match = registered(head)
    guard case .nothing = match, let elsewhere, elsewhere.takes(head) else { return match }
    let isItsMethod = head.method == elsewhere.route.method || head.method == .head && elsewhere.route.method == .get
    return isItsMethod ? .found(elsewhere.route, SIMD8(repeating: 0)) : .nothing
  }

  private func registered(_ head: HTTPHead) -> Match {
    let bytes = head.bytes
    var captures = SIMD8<UInt16>(repeating: 0)
    // An absolute target without a path, and a path of one slash, are the root.
    let path = head.path.range
    if path.count <= 1 {
      if path.isEmpty || bytes[path.lowerBound] == UInt8(ascii: "/") { return choose(root, head, captures) }
      return head.method == .options ? .otherMethods(Array(Set(routes.map(\.method)))) : .nothing
    }
    if let node = root.find(bytes, path.dropFirst(), 0, &captures) { return choose(node, head, captures) }
    if bytes[path.upperBound - 1] == UInt8(ascii: "/"),
      root.find(bytes, path.dropFirst().dropLast(), 0, &captures) != nil
    {
      return .withoutSlash
    }
    return .nothing
  }

  private func choose(_ node: RouteNode, _ head: HTTPHead, _ captures: SIMD8<UInt16>) -> Match {
    if let route = node.route(for: head.method) { return .found(route, captures) }
    if head.method == .head, let route = node.route(for: .get) { return .found(route, captures) }
    return node.routes.isEmpty ? .nothing : .otherMethods(node.routes.map(\.method))
  }
}

/// The parameters that were found in a path, read as their types one after another.
nonisolated struct PathCaptures {
  /// Two places each in the eight numbers of a match.
  static let max = 4

  private let request: HTTPRequest
  private var index = 0

  init(_ request: HTTPRequest) { self.request = request }

  mutating func next<Parameter: PathParameter>(_ type: Parameter.Type) throws -> Parameter {
    let range = Int(request.captures[index * 2])..<Int(request.captures[index * 2 + 1])
    index += 1
    guard let text = PercentEncoding.decode(request.head.bytes[range]) else {
      throw Problem(.validation, "the path is not UTF-8 text")
    }
    guard let value = Parameter(pathSegment: text) else { throw Problem(.notFound, "there is nothing at this path") }
    return value
  }
}

/// A part of a pattern between two slashes.
nonisolated enum PathSegment: Equatable {
  case literal([UInt8])
  /// `{id}`, or `{id}.ics` with the ending.
  case parameter(name: String, ending: [UInt8])

  var parameter: String? {
    if case .parameter(let name, _) = self { name } else { nil }
  }

  static func parse(_ pattern: String) -> [PathSegment] {
    precondition(pattern.hasPrefix("/"), "\(pattern) must begin with a slash")
    if pattern == "/" { return [] }
    return pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
      precondition(!part.isEmpty, "\(pattern) has an empty segment, or a slash at its end")
      guard part.first == "{", let end = part.firstIndex(of: "}") else {
        precondition(!part.contains("{") && !part.contains("%"), "\(part) in \(pattern) is no literal segment")
        return .literal(Array(part.utf8))
      }
      let name = part[part.index(after: part.startIndex)..<end]
      precondition(!name.isEmpty, "\(pattern) has a parameter without a name")
      return .parameter(name: String(name), ending: Array(part[part.index(after: end)...].utf8))
    }
  }
}

/// A place in the tree of paths.
nonisolated final class RouteNode {
  var routes: [HTTPRoute] = []
  private var literals: [(text: [UInt8], node: RouteNode)] = []
  /// The longest ending first; the plain parameter, with none, last.
  private var parameters: [(ending: [UInt8], node: RouteNode)] = []

  func route(for method: HTTPMethod) -> HTTPRoute? { routes.first { $0.method == method } }

  func child(for segment: PathSegment) -> RouteNode {
    let node = RouteNode()
    switch segment {
    case .literal(let text):
      if let known = literals.first(where: { $0.text == text }) { return known.node }
      literals.append((text, node))
    case .parameter(_, let ending):
      if let known = parameters.first(where: { $0.ending == ending }) { return known.node }
      parameters.append((ending, node))
      parameters.sort { $0.ending.count > $1.ending.count }
    }
    return node
  }

  /// The node for `path`, which is what follows a slash, and where its parameters are.
  func find(_ bytes: [UInt8], _ path: Range<Int>, _ depth: Int, _ captures: inout SIMD8<UInt16>) -> RouteNode? {
    var end = path.lowerBound
    var isEscaped = false
    while end < path.upperBound, bytes[end] != UInt8(ascii: "/") {
      if bytes[end] == UInt8(ascii: "%") { isEscaped = true }
      end += 1
    }
    let segment = path.lowerBound..<end
    guard !segment.isEmpty else { return nil }
    for literal in literals where Self.isSame(bytes, segment, literal.text, isEscaped: isEscaped) {
      if let node = literal.node.rest(bytes, end, path.upperBound, depth, &captures) { return node }
    }
    for parameter in parameters where segment.count > parameter.ending.count {
      let start = segment.upperBound - parameter.ending.count
      guard bytes[start..<segment.upperBound].elementsEqual(parameter.ending) else { continue }
      if let node = parameter.node.rest(bytes, end, path.upperBound, depth + 1, &captures) {
        captures[depth * 2] = UInt16(segment.lowerBound)
        captures[depth * 2 + 1] = UInt16(start)
        return node
      }
    }
    return nil
  }

  private func rest(
    _ bytes: [UInt8], _ end: Int, _ pathEnd: Int, _ depth: Int, _ captures: inout SIMD8<UInt16>
  ) -> RouteNode? {
    if end == pathEnd { return routes.isEmpty ? nil : self }
    return find(bytes, end + 1..<pathEnd, depth, &captures)
  }

  /// An escaped letter is the same as the letter (RFC 3986 6.2.2.2).
  private static func isSame(_ bytes: [UInt8], _ segment: Range<Int>, _ text: [UInt8], isEscaped: Bool) -> Bool {
    if isEscaped { return PercentEncoding.decodedBytes(bytes[segment]) == text }
    return segment.count == text.count && bytes[segment].elementsEqual(text)
  }
}
