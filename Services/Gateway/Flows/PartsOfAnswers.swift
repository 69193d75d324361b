import RPC

/// What a call brings; nil if its service is away, which the answer then says.
func optional<Value>(_ call: () async throws(RPCError) -> Value) async throws -> Value? {
  do throws(RPCError) {
    return try await call()
  } catch {
    guard error.isTransient else { throw error }
    return nil
  }
}

/// What came of a call that the answer can do without.
func outcome<Value>(_ call: () async throws(RPCError) -> Value) async -> Result<Value, RPCError> {
  do throws(RPCError) {
    return .success(try await call())
  } catch {
    return .failure(error)
  }
}
