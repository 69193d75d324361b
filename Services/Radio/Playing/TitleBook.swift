import AudioStreams
import Clocks
import Contracts
import Drafts
import Fetch
import HTML
import RPC

/// What stations say that they play, read from the metadata in their streams. However many ask, a stream is asked once.
final class TitleBook {
  nonisolated enum Limits {
    /// Songs take minutes; a listener sees the next one this late.
    static let titled: Duration = .seconds(15)
    /// A server that mixes no titles in does not begin to.
    static let silent: Duration = .seconds(300)
    /// A server that does not answer.
    static let failed: Duration = .seconds(30)
    /// Longer than any interval lasts at any rate, with what servers send at once.
    static let patience: Duration = .seconds(6)
    static let kept = 1_000
  }

  private let fetch: StreamResolver.Fetching
  private let shelf: StreamShelf
  private let time: any TimeSource
  private var entries = RecencyMap<StationID, (address: String, title: StationTitle, expiresAt: Instant)>(
    atMost: Limits.kept)
  private var running: [StationID: (address: String, task: Task<StationTitle, Never>)] = [:]

  init(_ shelf: StreamShelf, time: any TimeSource, fetch: @escaping StreamResolver.Fetching) {
    self.shelf = shelf
    self.time = time
    self.fetch = fetch
  }

  func title(of record: StationRecord) async -> StationTitle {
    let (id, address) = (record.id, record.address)
    if let known = entries[id], known.address == address, time.now < known.expiresAt { return known.title }
    if let other = running[id], other.address == address { return await other.task.value }
    // It serves whoever waits for it, so none of them is its parent; each step of it has its own end.
    let task = Task { await read(record) }
    running[id] = (address, task)
    let title = await task.value
    if running[id]?.task == task { running[id] = nil }
    return title
  }

  private func read(_ record: StationRecord) async -> StationTitle {
    let (resolution, _) = await shelf.resolution(of: record)
    guard let stream = resolution.stream else { return keep(nil, of: record, for: Limits.failed) }
    guard stream.kind == .progressive, let url = try? FetchURL(parsing: stream.url) else {
      return keep(nil, of: record, for: Limits.silent)
    }
    let listener = TitleListener()
    var request = FetchRequest(url)
    request.headers = [("Accept", "*/*"), ("Icy-MetaData", "1")]
    request.allowsDowngrade = true
    (request.limits.turn, request.limits.total) = (Limits.patience, Limits.patience)
    request.limits.wireBytes = IcyReader.intervalMax * 2
    request.body = .pieces { listener.take($0) }
    do throws(FetchError) {
      _ = try await fetch(request)
    } catch {
      guard listener.latest != nil else { return keep(nil, of: record, for: Limits.failed) }
    }
    guard let latest = listener.latest else {
      return keep(nil, of: record, for: listener.hasTitles ? Limits.titled : Limits.silent)
    }
    return keep(text(of: latest, record), of: record, for: Limits.titled)
  }

  /// Most stations send UTF-8, and many in Korea and Japan what was usual there before.
  private func text(of metadata: IcyMetadata, _ record: StationRecord) -> String? {
    if String(validating: metadata.title, as: UTF8.self) != nil { return metadata.text }
    let hint: TextEncoding? =
      switch record.station.language {
      case "ko": TextEncoding(label: "euc-kr")
      case "ja": TextEncoding(label: "shift_jis")
      default: nil
      }
    guard let hint, let decoded = try? Charset.decode(metadata.title, hint: hint) else { return metadata.text }
    return IcyMetadata.plain(String(decoding: decoded.bytes, as: UTF8.self))
  }

  private func keep(_ text: String?, of record: StationRecord, for lifetime: Duration) -> StationTitle {
    let text = text.map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    let sung = text.map { SungTitle($0) }
    let now = time.wall
    let title = StationTitle(
      station: record.id, text: text, artist: sung?.artist, title: sung?.title, asOf: now,
      expiresAt: WallTime(milliseconds: now.milliseconds + lifetime.wholeMilliseconds))
    entries.set(record.id, to: (record.address, title, time.now + lifetime))
    return title
  }
}

/// Listens until a title has come.
private final class TitleListener {
  private var reader: IcyReader?
  private var heard = 0
  /// The server mixes titles in.
  private(set) var hasTitles = false

  var latest: IcyMetadata? { reader?.latest }

  func take(_ piece: FetchPiece) -> Bool {
    if heard == 0 {
      guard let interval = piece.headers["icy-metaint"].flatMap({ Int($0) }), let reader = IcyReader(interval: interval)
      else { return false }
      self.reader = reader
      hasTitles = true
    }
    heard += piece.bytes.count
    _ = reader?.sound(of: piece.bytes)
    return reader?.latest == nil
  }
}
