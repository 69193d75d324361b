package import CSV

/// Reads ratings as text: `user,item,rating` and perhaps a time, by commas, tabs, semicolons or `::`, with or without a
/// line of names.
package struct RatingsReader {
  package private(set) var ratings = Ratings()
  /// Lines that were left out: how many, and the first of them.
  package private(set) var refused = 0
  package private(set) var problems: [CSVError] = []

  /// Enough to see what is wrong with a file; a wrong file is wrong on each line.
  private static let problemsMax = 20

  package init(_ bytes: [UInt8]) throws(CSVError) {
    var limits = CSVLimits()
    limits.records = Self.ratingsMax
    limits.fieldBytes = Self.nameBytesMax
    let first = bytes.first { $0 > 0x20 }
    guard first != UInt8(ascii: "{"), first != UInt8(ascii: "[") else {
      throw CSVError(line: 1, "this is JSON; ratings are lines of user,item,rating")
    }
    var reader = try CSVReader(Self.withTabs(bytes), limits: limits)
    var columns: RatingColumns?
    while true {
      do throws(CSVError) {
        guard let record = try reader.next() else { break }
        if let columns {
          try add(record, columns)
        } else if let named = RatingColumns(names: record.fields) {
          columns = named
        } else {
          columns = RatingColumns()
          try add(record, RatingColumns())
        }
      } catch {
        refused += 1
        if problems.count < Self.problemsMax { problems.append(error) }
      }
      // Without its columns a file says nothing.
      if let missing = columns?.missing { throw CSVError(line: 1, missing) }
    }
    guard !ratings.rows.isEmpty else {
      throw problems.first ?? CSVError(line: 1, "the file holds no ratings; a line is user,item,rating")
    }
  }

  /// As many as the largest public collection has; they are held in memory, some 40 bytes each.
  package static let ratingsMax = 33_000_000
  /// Ids of ours have at most 64 bytes.
  package static let nameBytesMax = 256

  /// The same with a tab for each `::`, which stands between fields in older collections.
  private static func withTabs(_ bytes: [UInt8]) -> [UInt8] {
    let colon = UInt8(ascii: ":")
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.contains(where: { [0x09, UInt8(ascii: ","), UInt8(ascii: ";")].contains($0) }),
      zip(line, line.dropFirst()).contains(where: { $0 == (colon, colon) })
    else { return bytes }
    var (tabbed, place): ([UInt8], Int) = ([], 0)
    tabbed.reserveCapacity(bytes.count)
    while place < bytes.count {
      let isMark = bytes[place] == colon && place + 1 < bytes.count && bytes[place + 1] == colon
      tabbed.append(isMark ? 0x09 : bytes[place])
      place += isMark ? 2 : 1
    }
    return tabbed
  }

  /// Without blanks at its ends, which some tools leave.
  private static func trimmed(_ field: String) -> String {
    guard field.utf8.first == 0x20 || field.utf8.last == 0x20 else { return field }
    return String(decoding: field.utf8.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
  }

  private mutating func add(_ record: CSVRecord, _ columns: RatingColumns) throws(CSVError) {
    let fields = record.fields.map(Self.trimmed)
    guard fields.count > columns.last else {
      throw CSVError(line: record.line, "\(fields.count) fields; a line is user,item,rating and perhaps a time")
    }
    let (user, item) = (fields[columns.user], fields[columns.item])
    guard !user.isEmpty, !item.isEmpty else {
      throw CSVError(line: record.line, "\(user.isEmpty ? "the user" : "the item") is empty")
    }
    guard let value = Float(fields[columns.rating]), value.isFinite, abs(value) <= 100 else {
      throw CSVError(line: record.line, "the rating is '\(fields[columns.rating])'; write a number such as 4.5")
    }
    var time: Int64 = 0
    if let column = columns.time, column < fields.count, !fields[column].isEmpty {
      guard let number = Double(fields[column]), let seconds = Int64(exactly: number.rounded(.down)) else {
        throw CSVError(line: record.line, "the time is '\(fields[column])'; write seconds since 1970, or leave it out")
      }
      time = seconds
    }
    ratings.add(user: user, item: item, value: value, time: time)
  }
}

/// Where in a line what stands.
private struct RatingColumns {
  var user = 0
  var item = 1
  var rating = 2
  var time: Int? = 3

  var last: Int { max(user, item, rating) }

  init() {}

  /// Nil if the fields are no names but a rating: its third field is a number.
  init?(names fields: [String]) {
    guard fields.count < 3 || Double(fields[2]) == nil else { return nil }
    guard fields.contains(where: { Self.meaning($0) != nil }) else { return nil }
    (user, item, rating, time) = (-1, -1, -1, nil)
    for (place, field) in fields.enumerated() {
      switch Self.meaning(field) {
      case .user: user = place
      case .item: item = place
      case .rating: rating = place
      case .time: time = place
      case nil: continue
      }
    }
  }

  /// What a line of names lacks.
  var missing: String? {
    let absent = [(user, "user"), (item, "item"), (rating, "rating")].first { $0.0 < 0 }
    return absent.map { "the line of names has no \($0.1); write user,item,rating,time" }
  }

  private enum Meaning { case user, item, rating, time }

  /// `userId`, `user_id` and `USER` are one name.
  private static func meaning(_ name: String) -> Meaning? {
    switch name.lowercased().filter({ $0.isLetter }) {
    case "user", "userid": .user
    case "item", "itemid", "movie", "movieid", "film", "filmid": .item
    case "rating", "score", "stars": .rating
    case "time", "timestamp", "at", "ratedat": .time
    default: nil
    }
  }
}
