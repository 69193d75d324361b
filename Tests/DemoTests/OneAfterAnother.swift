import Testing

/// All suites here, one test at a time: reading every site keeps the one thread busy for seconds, and a command that asks
/// meanwhile would wait longer than a person does.
@Suite("Demo world", .serialized)
enum OneAfterAnother {}
