import AudioStreams
package import Clocks
import Contracts
package import Fetch

/// Follows a station's address to its stream: redirects, playlists of playlists, a broadcaster's JSON, renditions, until
/// something sends sound or there is nothing left to try.
///
/// What an address is, its answer says, and not the list it came from. Each address is asked through the fetcher, so none
/// is connected to that must not be.
package final class StreamResolver {
  /// Asks for one address.
  package typealias Fetching = @MainActor (FetchRequest) async throws(FetchError) -> FetchResponse

  nonisolated package enum Limits {
    /// Addresses asked on one way: the longest real one has four.
    static let addresses = 8
    /// Playlist in playlist in playlist.
    static let depth = 4
    /// Other addresses of one playlist that are tried when the first fails.
    static let choices = 3
    /// Enough for three frames of every codec at its highest rate, and what servers send at once.
    static let soundBytes = 16 << 10
    /// Whoever wants to know listens longer to what begins with silence: every song has pauses.
    static let silenceBytes = 160 << 10
    static let silenceSeconds = 3
    /// One address. A player gives up after about as long.
    static let patience: Duration = .seconds(6)
    /// The whole way.
    static let total: Duration = .seconds(15)
  }

  private let fetch: Fetching
  private let time: any TimeSource

  package init(time: any TimeSource, fetch: @escaping Fetching) {
    self.time = time
    self.fetch = fetch
  }

  /// - Parameter listens: whether what begins with silence is heard on, to tell whether it is nothing else. A listener
  ///   does not wait for that.
  package func resolve(_ address: String, listens: Bool = false) async -> Resolution {
    var way = Way(end: time.now + Limits.total, listens: listens)
    guard let url = try? FetchURL(parsing: address) else {
      return Resolution(steps: [.init(url: address, finding: "is no address that is fetched", milliseconds: 0)])
    }
    let stream = await follow(url, depth: 0, &way)
    return Resolution(steps: way.steps, stream: stream)
  }

  /// What has been tried so far.
  private struct Way {
    let end: Instant
    let listens: Bool
    var steps: [Resolution.Step] = []
    var seen: Set<FetchURL> = []
  }

  // MARK: One address after another

  private func follow(_ url: FetchURL, depth: Int, _ way: inout Way) async -> Resolution.Found? {
    guard depth <= Limits.depth else { return note("\(depth) playlists deep; that is too deep", url, &way) }
    guard way.seen.insert(url).inserted else { return note("leads back to itself", url, &way) }
    guard way.seen.count <= Limits.addresses else { return note("more addresses than are tried", url, &way) }
    guard time.now < way.end else { return note("there was no time left", url, &way) }
    guard let answer = await ask(url, &way) else { return nil }
    switch answer.document {
    case .sound(let format):
      return Resolution.Found(
        format, at: answer.url.description, kind: .progressive, name: answer.name, isSilent: answer.isSilent)
    case .playlist(_, let entries):
      return await first(of: entries.map(\.address), at: answer.url, depth, &way)
    case .master(let master):
      guard let best = master.best else { return nil }
      var found = await first(of: [best.address], at: answer.url, depth, &way)
      // A player takes the list of renditions and chooses by itself.
      found?.url = answer.url.description
      if let told = best.bandwidth, found?.kilobits == nil { found?.kilobits = (told + 500) / 1_000 }
      return found
    case .media(let media): return await sound(of: media, at: answer.url, &way)
    case .page, .nothing, .unknown: return nil
    }
  }

  private func first(
    of addresses: [String], at base: FetchURL, _ depth: Int, _ way: inout Way
  ) async -> Resolution.Found? {
    for address in addresses.prefix(Limits.choices) {
      guard let url = try? base.resolving(address) else {
        way.steps.append(.init(url: address, finding: "is no address that is fetched", milliseconds: 0))
        continue
      }
      if let found = await follow(url, depth: depth + 1, &way) { return found }
    }
    return nil
  }

  /// A playlist of segments plays if its newest segment is there. What is encrypted is not looked into.
  private func sound(of media: HLSMedia, at base: FetchURL, _ way: inout Way) async -> Resolution.Found? {
    guard let last = media.segments.last, let url = try? base.resolving(last) else { return nil }
    let stream = Resolution.Found(url: base.description, mediaType: HLSMedia.mediaType, kind: .hls)
    if media.isEncrypted { return stream }
    guard let answer = await ask(url, &way) else { return nil }
    switch answer.document {
    case .sound(let format):
      return Resolution.Found(format, at: base.description, kind: .hls, isSilent: answer.isSilent)
    // Behind an EXT-X-MAP a segment may hold nothing that tells its codec.
    case .unknown where media.head != nil: return stream
    default: return nil
    }
  }

  private func note(_ finding: String, _ url: FetchURL, _ way: inout Way) -> Resolution.Found? {
    way.steps.append(.init(url: url.description, finding: finding, milliseconds: 0))
    return nil
  }

  // MARK: One answer

  private struct Answer {
    var url: FetchURL
    var document: AudioDocument
    var name: String?
    var isSilent: Bool?
  }

  /// Fetches as much of an answer as tells what it is.
  private func ask(_ url: FetchURL, _ way: inout Way) async -> Answer? {
    let began = time.now
    let beginning = Beginning(listens: way.listens)
    var request = FetchRequest(url)
    request.headers = [("Accept", "*/*")]
    // Stations lead from https to their relays; nothing of ours is sent along.
    request.allowsDowngrade = true
    request.limits.total = min(Limits.patience, way.end - began)
    request.limits.turn = request.limits.total
    request.limits.bodyBytes = AudioDocument.Limits.answer.bytes
    request.body = .pieces { beginning.take($0) }
    var step = Resolution.Step(url: url.description, finding: "", milliseconds: 0)
    var final = url
    do throws(FetchError) {
      let response = try await fetch(request)
      final = response.url
      step.status = response.status
      step.mediaType = response.mediaType
      if !response.hops.isEmpty { step.finding = "leads to \(final); " }
      guard response.isSuccess else {
        step.finding += "the server answers \(response.status)"
        return finish(step, since: began, &way, nil)
      }
    } catch {
      // A stream that is slow to fill what we wanted has still been heard.
      guard beginning.isSound else {
        step.finding = "\(error)"
        return finish(step, since: began, &way, nil)
      }
      step.status = beginning.status
      step.mediaType = beginning.headers?.mediaType
    }
    let document = AudioDocument(beginning.bytes, mediaType: beginning.headers?.mediaType)
    step.finding += document.words
    var answer = Answer(url: final, document: document, name: beginning.headers?["icy-name"])
    if case .sound(let format) = document { answer.isSilent = beginning.isSilent(as: format) }
    if answer.isSilent == true { step.finding += ", silence" }
    return finish(step, since: began, &way, answer)
  }

  private func finish(_ step: Resolution.Step, since began: Instant, _ way: inout Way, _ answer: Answer?) -> Answer? {
    var step = step
    step.milliseconds = Int(clamping: (time.now - began).wholeMilliseconds)
    way.steps.append(step)
    return answer
  }
}

/// Gathers the beginning of an answer: of a document all of it, of sound only as much as tells its format.
private final class Beginning {
  private(set) var bytes: [UInt8] = []
  private(set) var headers: FetchHeaders?
  private(set) var status: Int?
  private let listens: Bool

  init(listens: Bool) { self.listens = listens }

  func take(_ piece: FetchPiece) -> Bool {
    if headers == nil { (headers, status) = (piece.headers, piece.status) }
    bytes += piece.bytes
    if bytes.count >= AudioDocument.Limits.answer.bytes { return false }
    if bytes.count < StreamResolver.Limits.soundBytes || !looksLikeSound { return true }
    return listens && bytes.count < StreamResolver.Limits.silenceBytes && Silence.fills(bytes) == true
  }

  /// Nil where that cannot be told, or too little came.
  func isSilent(as format: AudioFormat) -> Bool? {
    guard let isSilent = Silence.fills(bytes), let kilobits = format.kilobits else { return nil }
    if !isSilent { return false }
    return bytes.count * 8 >= StreamResolver.Limits.silenceSeconds * kilobits * 1_000 ? true : nil
  }

  /// Documents hold no control characters and no FF; all sound does in its first bytes.
  private var looksLikeSound: Bool { bytes.prefix(1_024).contains { $0 < 0x09 || $0 == 0xFF } }

  var isSound: Bool {
    guard looksLikeSound, case .sound(let format) = AudioDocument(bytes, mediaType: nil) else { return false }
    return format.sampleRate != nil
  }
}

nonisolated extension AudioDocument {
  /// In a few words, for the person who asks why a station is silent.
  fileprivate var words: String {
    switch self {
    case .playlist(let form, let entries):
      "\(form.rawValue), \(entries.count) \(entries.count == 1 ? "address" : "addresses")"
    case .master(let master): "hls, \(master.variants.count) renditions"
    case .media(let media):
      "hls, \(media.segments.count) segments" + (media.isEncrypted ? ", encrypted" : "")
        + (media.hasEnded ? ", a recording" : "")
    case .sound(let format):
      format.codec + (format.kilobits.map { " \($0) kbit/s" } ?? "") + (format.sampleRate.map { " \($0) Hz" } ?? "")
    case .page: "a page for people, and no stream"
    case .nothing: "nothing came"
    case .unknown: "neither a playlist nor sound that is known"
    }
  }
}
