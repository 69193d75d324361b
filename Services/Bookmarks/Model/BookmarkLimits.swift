import Contracts

/// What a user may keep, and for how long.
nonisolated package struct BookmarkLimits: Sendable {
  /// Somebody who saved a film every day for thirteen years. Every question about a user reads all of their items, so
  /// this also bounds what a question costs.
  package var items = 5_000
  /// Removed items that are remembered for other screens. Of more, the older half is forgotten early, and a screen that
  /// was away since then reads everything anew.
  package var tombstones = 5_000
  /// Characters of a note: a page of text. More is a document.
  package var noteCharacters = 2_000
  /// Things in a user's history: more is not looked at by any recommendation.
  package var views = 1_000
  /// Answers kept for a user's idempotency keys. At the gateway's 20 writes a second they still last for minutes, which
  /// is what a retry needs.
  package var receipts = 10_000
  /// One message, and one transaction that others wait for.
  package var importedItems = ImportItems.itemsMax
  package var recordedViews = RecordViews.viewsMax
  package var pageItems = ListItems.limitMax
  package var pageChanges = ItemChanges.limitMax
  package var pageViews = ListViews.limitMax
  /// Devices that signed out and whose tokens are remembered as void. Of more, the oldest takes with it all tokens that
  /// are older than it.
  package var endedTokens = 64
  /// Tabs and devices of one user that are open at once.
  package var watchersPerUser = 16
  /// Each costs some kilobytes.
  package var watchers = 10_000
  /// Fewer users than this might be found out by what they saved.
  package var popularityUsers = 5
  package var popularThings = 100

  /// An evening out every other day for a year. More is no plan.
  package var plans = 200
  package var planTitleCharacters = 200

  /// A screen that has been asleep for a month still learns what was removed.
  package var tombstoneLife = Duration.seconds(30 * 86_400)
  /// Longer than any client keeps on retrying.
  package var receiptLife = Duration.seconds(7 * 86_400)
  /// Who guesses the key of an opening is given the user: as short as a retry needs.
  package var openingLife = Duration.seconds(600)
  /// What somebody looked at a year ago is nobody's business.
  package var viewLife = Duration.seconds(365 * 86_400)

  package init() {}
}
