import CSV

/// Reading ends, whatever the bytes are; what was read is written so that it reads back the same.
func fuzzCSV(_ input: UnsafeBufferPointer<UInt8>) {
  guard var table = try? CSVReader(input) else { return }
  for record in records(of: &table, atMost: input.count + 1) {
    var writer = CSVWriter(record)
    writer.write(record)
    guard var again = try? CSVReader(writer.bytes, separator: UInt8(ascii: ",")) else { preconditionFailure("refused") }
    precondition(records(of: &again, atMost: 3) == [record, record], "reads back as something else")
  }
}

private func records(of reader: inout CSVReader, atMost limit: Int) -> [[String]] {
  var records: [[String]] = []
  for _ in 0..<limit {
    do {
      guard let record = try reader.next() else { return records }
      records.append(record.fields)
    } catch {
      continue
    }
  }
  preconditionFailure("does not end")
}
