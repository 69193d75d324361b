package import Clocks
package import Observability

/// What travels with a call: how long it has, how much it matters, whose it is.
package struct CallContext: Sendable {
  /// On this process's clock.
  package var deadline: Instant
  package var priority: CallPriority = .read
  /// 1 for the first try. A hop that sees more than its own first does not retry.
  package var attempt: UInt8 = 1
  /// Hops from where the call was born, which alone retries.
  package var hop: UInt8 = 0
  /// What few calls carry: a context is copied a dozen times in a call, and this makes it three words.
  package var extras: CallExtras?

  package init(deadline: Instant) { self.deadline = deadline }

  package var trace: TraceContext? {
    get { extras?.fields.trace }
    set { change(newValue != nil) { $0.trace = newValue } }
  }

  package var key: IdempotencyKey? {
    get { extras?.fields.key }
    set { change(newValue != nil) { $0.key = newValue } }
  }

  package var supersede: SupersedeMark? {
    get { extras?.fields.supersede }
    set { change(newValue != nil) { $0.supersede = newValue } }
  }

  package var metadata: CallMetadata {
    get { extras?.fields.metadata ?? CallMetadata() }
    set { change(!newValue.isEmpty) { $0.metadata = newValue } }
  }

  /// Who calls, as the transport knows it.
  package var peer: CallPeer {
    get { extras?.fields.peer ?? .inProcess }
    set { change(newValue != .inProcess) { $0.peer = newValue } }
  }

  private mutating func change(_ isSomething: Bool, _ change: (inout CallExtras.Fields) -> Void) {
    guard isSomething || extras != nil else { return }
    var fields = extras?.fields ?? CallExtras.Fields()
    change(&fields)
    extras = CallExtras(fields)
  }

  /// The call that the current task serves. Calls that it makes inherit its deadline, priority, trace and pane.
  @TaskLocal package static var current: CallContext?

  /// Runs `body` without the current call's deadline, priority, trace and pane: for work that goes on after its answer, or is
  /// others' too.
  package static func outsideCurrentCall<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await $current.withValue(nil, operation: body)
  }
}

/// What only some calls carry. Shared between the copies of a context, and between the calls of a connection that have
/// nothing but the same peer.
package final class CallExtras: Sendable {
  package struct Fields: Sendable {
    package var trace: TraceContext?
    package var key: IdempotencyKey?
    package var supersede: SupersedeMark?
    package var metadata = CallMetadata()
    package var peer: CallPeer = .inProcess

    package init() {}
  }

  package let fields: Fields

  package init(_ fields: Fields) { self.fields = fields }
}

/// Which pane of which session asks, and the number of this question there. See `SupersedeTable`.
package struct SupersedeMark: Hashable, Sendable {
  package var session: UInt64
  package var slot: UInt32
  package var sequence: UInt64

  package init(session: UInt64, slot: UInt32, sequence: UInt64) {
    self.session = session
    self.slot = slot
    self.sequence = sequence
  }

  package struct Pane: Hashable, Sendable {
    package var session: UInt64
    package var slot: UInt32
  }

  package var pane: Pane { Pane(session: session, slot: slot) }
}

/// Who is at the other end.
package enum CallPeer: Hashable, Sendable, CustomStringConvertible {
  case inProcess
  /// Named by the transport; `user` is the operating system's, on a unix socket.
  case remote(address: String, service: String, user: UInt32?)

  package var description: String {
    switch self {
    case .inProcess: "this process"
    case .remote(let address, let service, _): service.isEmpty ? address : "\(service) at \(address)"
    }
  }

  /// Whether it may ask what only an administrator may: this process, its own user on a unix socket, or root.
  package func isAdministrator(of owner: UInt32) -> Bool {
    switch self {
    case .inProcess: true
    case .remote(_, _, let user): user == owner || user == 0
    }
  }
}

/// Names and values that travel with a call.
package struct CallMetadata: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  package enum Limits {
    /// More would be a payload.
    package static let entries = 64
    package static let bytes = 16 << 10
  }

  package private(set) var entries: [Entry] = []

  package struct Entry: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  package init() {}

  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  package var isEmpty: Bool { entries.isEmpty }

  package subscript(name: String) -> String? { entries.first { $0.name == name }?.value }

  package mutating func append(_ name: String, _ value: String) { entries.append(Entry(name: name, value: value)) }

  /// Throws if it is more than travels with a call.
  package func checkSize() throws(RPCError) {
    let bytes = entries.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard entries.count <= Limits.entries, bytes <= Limits.bytes else {
      throw RPCError(
        .invalidArgument,
        "metadata has \(entries.count) entries and \(bytes) bytes; at most \(Limits.entries) and \(Limits.bytes) are sent",
        executed: .no)
    }
  }
}

/// What a caller may say about a call beyond its request.
package struct CallOptions: Sendable {
  /// How long the answer may take. Without it the current call's remaining time, and at most ten seconds.
  package var timeout: Duration?
  package var priority: CallPriority?
  package var key: IdempotencyKey?
  package var supersede: SupersedeMark?
  /// Of whoever asked for it by other means than a call; within one, that call's trace holds.
  package var trace: TraceContext?
  package var metadata = CallMetadata()
  /// Whether a failure that is safe to repeat is repeated.
  package var mayRetry = true

  package init(
    timeout: Duration? = nil, priority: CallPriority? = nil, key: IdempotencyKey? = nil,
    supersede: SupersedeMark? = nil, metadata: CallMetadata = CallMetadata(), mayRetry: Bool = true
  ) {
    self.timeout = timeout
    self.priority = priority
    self.key = key
    self.supersede = supersede
    self.metadata = metadata
    self.mayRetry = mayRetry
  }

  /// No call for one answer is without an end.
  package static let timeoutDefault: Duration = .seconds(10)
  /// What a hop keeps of the time it was given, to answer in time itself.
  package static let hopMargin: Duration = .milliseconds(5)

  /// The context of a call made now, by whoever serves `current`.
  package func context(now: Instant, safety: Safety?, current: CallContext? = CallContext.current) -> CallContext {
    // A stream lasts until one side ends it, unless its caller set a time: signs of life tell whether it still makes sense.
    let isStream = safety == nil
    var context = CallContext(
      deadline: timeout == nil && isStream ? .distantFuture : now + (timeout ?? Self.timeoutDefault))
    context.priority = priority ?? current?.priority ?? (safety == .read || safety == nil ? .read : .write)
    if let current {
      context.deadline = min(context.deadline, current.deadline - Self.hopMargin)
      context.hop = current.hop &+ 1
      context.attempt = current.attempt
    }
    let trace = if let current { current.trace } else { self.trace }
    let supersede = self.supersede ?? (safety == .read ? current?.supersede : nil)
    if trace != nil || key != nil || supersede != nil || !metadata.isEmpty {
      var fields = CallExtras.Fields()
      fields.trace = trace
      fields.key = key
      fields.supersede = supersede
      fields.metadata = metadata
      context.extras = CallExtras(fields)
    }
    return context
  }
}
