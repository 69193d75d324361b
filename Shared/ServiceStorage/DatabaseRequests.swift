package import RPC

/// What a service with a database answers to its administrators about it.

/// How the database is.
nonisolated package struct DescribeDatabase: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = DatabaseDescription
  package static let method: MethodID = 0x0020
  package static let safety: Safety = .read
}

nonisolated package struct DatabaseDescription: Codable, Sendable {
  package var path: String
  package var bytes: Int64
  package var walBytes: Int64
  /// What `vacuum` would give back.
  package var freeBytes: Int64
  package var durability: String
  package var sqlite: String
  /// How many migrations it has had.
  package var schemaVersion: Int
  /// The last of them.
  package var schema: String
  /// Rows of each table.
  package var counts: [String: Int]
}

/// Reads the whole file; the response says what is wrong with it, at most 100 findings.
nonisolated package struct CheckDatabase: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = [String]
  package static let method: MethodID = 0x0021
  package static let safety: Safety = .read
}

/// Writes the file anew without its free pages; the response is its length.
nonisolated package struct VacuumDatabase: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = Int64
  package static let method: MethodID = 0x0022
  package static let safety: Safety = .idempotent
}

/// Copies the database as it is now to a new file.
nonisolated package struct BackUpDatabase: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = DatabaseCopy
  package static let method: MethodID = 0x0023
  // A second try finds the file of the first and says so; it spoils nothing.
  package static let safety: Safety = .idempotent

  /// Absolute, as the service's process sees it.
  package var path: String
}

/// A backup, whole and checked.
nonisolated package struct DatabaseCopy: Codable, Sendable {
  package var path: String
  package var bytes: Int64
  package var schemaVersion: Int
  package var counts: [String: Int]
}
