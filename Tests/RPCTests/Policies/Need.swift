import Testing

/// `#require` for the result of a mutating call, which the macro does not take.
func need<Value>(_ value: Value?, at location: SourceLocation = #_sourceLocation) throws -> Value {
  try #require(value, sourceLocation: location)
}
