import CSV
package import Contracts
package import Drafts

/// Restaurants as CSV: a column for each field and each feature.
nonisolated package enum RestaurantTable {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    do throws(CSVError) {
      var table = try CSVTable(bytes, aliases: RestaurantField.otherNames)
      try table.check(known: RestaurantField.columns, required: RestaurantField.required)
      return rows(of: &table, name)
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
  }

  private static func rows(of table: inout CSVTable, _ name: String) -> DraftReading {
    var reading = DraftReading()
    while true {
      do throws(CSVError) {
        guard let row = try table.next() else { return reading }
        var draft = RestaurantDraft("\(name):\(row.line)")
        // An empty cell says that there is nothing; a column that is not there says nothing.
        for column in RestaurantField.columns where table.has(column) { draft[column] = row[column] ?? "" }
        reading.drafts.append(draft)
      } catch {
        reading.problems.append(DraftProblems(place: "\(name):\(error.line)", problems: [error.reason]))
      }
    }
  }

  package static func write(_ restaurants: [Restaurant]) -> String {
    var writer = CSVWriter(RestaurantField.columns)
    for place in restaurants { writer.write(place.texts.map(\.text)) }
    return writer.text
  }
}

nonisolated extension Restaurant {
  /// Every column, in their order.
  var texts: [(column: String, text: String?)] {
    RestaurantField.allCases.map { ($0.rawValue, $0.text(of: self)) }
      + RestaurantFeature.allCases.map { feature in
        (feature.rawValue, note(feature).map { $0.text ?? $0.state.rawValue })
      }
  }
}
