/// What a fact can be. Literals and interpolations work in place: `["method": "near", "rows": 3, "at": "\(point)"]`.
package enum LogValue: Sendable, Equatable {
  case string(String)
  case int(Int64)
  case double(Double)
  case bool(Bool)
  /// Written in milliseconds; as JSON its name gains `_ms`, so that the unit stands beside the number.
  case duration(Duration)

  package static func int(_ value: some BinaryInteger) -> LogValue { .int(Int64(clamping: value)) }
}

/// The facts of one line, in the order in which they are written.
package typealias Facts = KeyValuePairs<String, LogValue>

extension LogValue: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int64) { self = .int(value) }
}

extension LogValue: ExpressibleByFloatLiteral {
  package init(floatLiteral value: Double) { self = .double(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}
