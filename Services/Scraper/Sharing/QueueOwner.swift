package import Clocks
import Compression
package import Contracts
package import EventLoops
package import Fetch
package import RPC

/// The scraper that has the queue, as a visit elsewhere sees it: it gives hosts' turns and keeps pages.
package final class QueueOwner: HostTurns, PageStore {
  private enum Limits {
    /// The owner waits so long for a host's turn, and before it for that of its robots.txt, which it then reads.
    static let turn: Duration = HostBook.Limits.turn * 2 + .seconds(60)
    /// A page of megabytes over a slow line.
    static let page: Duration = .seconds(60)
  }

  private let owner: any RPCClient<ScraperAPI>
  private let patience: Patience
  private var random: any RandomNumberGenerator

  package init(_ owner: any RPCClient<ScraperAPI>, time: any TimeSource, random: any RandomNumberGenerator) {
    self.owner = owner
    self.random = random
    patience = Patience(time: time, random: random)
  }

  // MARK: Hosts

  package func turn(for url: FetchURL) async throws(RetrievalError) {
    let turn: HostTurn
    do throws(RPCError) {
      turn = try await owner.call(TakeHostTurn(url: "\(url)"), within: Limits.turn, patience)
    } catch {
      guard error.code == .cancelled else { throw RetrievalError(.failed, "the queue's owner: \(error.message)") }
      throw RetrievalError(.cancelled, "cancelled")
    }
    guard let refusal = turn.refusal else { return }
    throw RetrievalError(RetrievalError.Kind(rawValue: refusal) ?? .failed, turn.problem ?? refusal)
  }

  /// Told behind, and again if no answer comes: its key sees to it that it counts once. What is lost all the same is learnt
  /// from the site's next answer.
  package func finish(_ url: FetchURL, _ outcome: HostBudget.Outcome, address: IPAddress?) {
    var end = EndHostTurn(url: "\(url)", address: address.map { "\($0)" })
    switch outcome {
    case .answered(let took): end.milliseconds = Int(took.wholeMilliseconds)
    case .throttled(let wait):
      end.isThrottled = true
      end.retrySeconds = wait.map { Int($0.inSeconds.rounded(.up)) }
    case .failed: break
    }
    let key = IdempotencyKey.random(using: &random)
    Task { [owner, end] in _ = try? await owner.call(end, CallOptions(key: key)) }
  }

  // MARK: Pages

  package func page(_ url: String) async throws -> ScraperStore.KnownPage? {
    let known = try await owner.call(LastAnswer(url: url))
    guard let snapshot = known.snapshot.flatMap({ SnapshotID($0) }) else { return nil }
    return ScraperStore.KnownPage(
      validators: FetchRequest.Validators(etag: known.etag, lastModified: known.lastModified),
      contentType: known.contentType, finalURL: known.url ?? url, snapshot: snapshot)
  }

  package func snapshot(_ id: SnapshotID) async throws -> [UInt8]? {
    let page = try await owner.call(
      PackedSnapshot(snapshot: "\(id)"), within: Limits.page, patience)
    guard let packed = page.packed, let bytes = page.bytes, 0...KeepPage.bytesMax ~= bytes else { return nil }
    return try await Background.run { Result { try CompressionFormat.zlib.decompress(packed, limit: bytes) } }.get()
  }

  package func keep(
    _ page: Page, at url: String, validators: FetchRequest.Validators?
  ) async throws -> (snapshot: SnapshotID, isSame: Bool) {
    let body = page.body
    let packed = await Background.run { CompressionFormat.zlib.compress(body) }
    guard packed.count <= KeepPage.packedBytesMax else {
      throw RPCError(.outOfRange, "the page has \(packed.count) bytes compressed, more than can be handed on")
    }
    let kept = try await owner.call(
      KeepPage(
        url: url,
        page: SharedPage(
          url: page.url, contentType: page.contentType, fetchedAt: page.fetchedAt, etag: validators?.etag,
          lastModified: validators?.lastModified, packed: packed, bytes: body.count)),
      within: Limits.page, patience)
    return (SnapshotID(of: body), kept.isSame == true)
  }
}
