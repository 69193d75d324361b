import Glibc

/// libFuzzer's way in: what it makes up goes to the target that ODI_FUZZ names.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosen(UnsafeBufferPointer(start: start, count: count))
  return 0
}

private typealias FuzzTarget = (UnsafeBufferPointer<UInt8>) -> Void

/// By the names of the table `targets`.
private nonisolated(unsafe) let fuzzTargets: [String: FuzzTarget] = [
  "control": fuzzControl,
  "wire": fuzzWire,
  "contracts": fuzzContracts,
  "hello": fuzzHello,
  "frames": fuzzFrames,
  "http": fuzzHTTP,
  "html": fuzzHTML,
  "charset": fuzzCharset,
  "robots": fuzzRobots,
  "links": fuzzLinks,
  "zones": fuzzZone,
  "times": fuzzTimes,
  "calendars": fuzzCalendars,
  "json": fuzzJSON,
  "inflate": fuzzInflate,
  "pages": fuzzPages,
  "pageparts": fuzzPageParts,
  "records": fuzzRecords,
  "schedules": fuzzSchedules,
  "titles": fuzzTitles,
  "rules": fuzzRules,
  "csv": fuzzCSV,
  "search": fuzzSearch,
  "stations": fuzzStations,
  "festivals": fuzzFestivals,
  "films": fuzzFilms,
  "control-films": fuzzFilmsControl,
  "pictures": fuzzPictures,
  "control-pictures": fuzzPicturesControl,
  "ratings": fuzzRatings,
  "models": fuzzModels,
]

private nonisolated(unsafe) let chosen: FuzzTarget = {
  let name = getenv("ODI_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = fuzzTargets[name] else {
    fatalError("ODI_FUZZ names no target; there are: \(fuzzTargets.keys.sorted().joined(separator: " "))")
  }
  return target
}()
