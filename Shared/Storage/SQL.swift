/// The text of a statement: written in the source, never made from a value.
///
/// A literal becomes one, and so does a literal that interpolates other `SQL`; interpolating a `String` does not
/// compile. What varies is bound: `db.rows("SELECT \(columns) FROM film WHERE id = ?", [id])`.
package struct SQL: Hashable, Sendable, ExpressibleByStringInterpolation {
  package let text: String

  package init(stringLiteral text: String) { self.text = text }

  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// For text that an operator typed into the `db shell`, or that a test generates.
  package init(trusted text: String) { self.text = text }

  package struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 32)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    package mutating func appendInterpolation(_ part: SQL) { text += part.text }
  }
}
