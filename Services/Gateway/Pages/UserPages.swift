import Calendars
import Clocks
import Contracts
import JSON

/// What everything of a user's is shown with: nobody knows where they are, so times are in UTC.
nonisolated extension WallTime {
  var stamp: Timestamp { Timestamp(inWholeSeconds) }
}

/// A session that was opened: who you are from now on.
nonisolated struct SessionPage: Shaped, Equatable {
  var token: String
  var profile: UserProfile
  var expiresAt: Timestamp

  static let shape = Shape<SessionPage>(
    "Session", "Send the token as `Authorization: Bearer`. Whoever has it is this user.",
    [
      .required("token", "Opaque.") { $0.token },
      .required("user_id", "") { $0.profile.id },
      .required("expires_at", "") { $0.expiresAt },
      .required("created_at", "When the user came to be.") { $0.profile.createdAt.stamp },
      .required("rev", "Grows by one with each change of anything they save.") { $0.profile.revision },
    ])
}

/// A user, without what they saved.
nonisolated struct ProfilePage: Shaped, Equatable {
  var profile: UserProfile

  static let shape = Shape<ProfilePage>(
    "Profile", "A user, without what they saved.",
    [
      .required("id", "") { $0.profile.id },
      .required("created_at", "") { $0.profile.createdAt.stamp },
      .optional("locale", "BCP 47.") { $0.profile.locale },
      .required("rev", "Grows by one with each change of anything they save.") { $0.profile.revision },
      .required("counts", "How many they saved, by kind.") { page in
        page.profile.counts.map { CountItem(kind: $0.kind.rawValue, count: $0.count) }
      },
    ])
}

/// How many of a kind.
nonisolated struct CountItem: Shaped, Equatable {
  var kind: String
  var count: Int

  static let shape = Shape<CountItem>(
    "Count", "", [.required("kind", "") { $0.kind }, .required("count", "") { $0.count }])
}

/// A saved film, and when it can be seen next.
nonisolated struct BookmarkItem: Shaped, Equatable {
  var item: SavedItem
  var film: FilmItem?
  var next: ShowingItem?

  static let shape = Shape<BookmarkItem>(
    "Bookmark", "A film that somebody wants to see.",
    [
      .required("film_id", "") { $0.item.id },
      .optional("note", "Their own.") { $0.item.note },
      .required("created_at", "") { $0.item.savedAt.stamp },
      .required("rev", "The user's revision when it was last saved.") { $0.item.revision },
      .optional("film", "With `include=film`.") { $0.film },
      .optional("next_showtime", "With `include=next_showtime`: the next near `near`, else of all.") { $0.next },
    ])
}

/// Something else that was saved.
nonisolated struct FavouriteItem: Shaped, Equatable {
  var item: SavedItem
  /// Of a cinema that was taken out of the directory: the one in its place.
  var replacedBy: CinemaID?

  static let shape = Shape<FavouriteItem>(
    "Favourite", "Something else than a film that somebody saved.",
    [
      .required("kind", "") { $0.item.kind.rawValue },
      .required("id", "") { $0.item.id },
      .optional("replaced_by", "Of a cinema that is gone: the one in its place.") { $0.replacedBy },
      .optional("note", "Their own.") { $0.item.note },
      .required("created_at", "") { $0.item.savedAt.stamp },
      .required("rev", "The user's revision when it was last saved.") { $0.item.revision },
    ])
}

/// A film saved or removed.
nonisolated struct BookmarkChange: Shaped, Equatable {
  var change: ItemChange

  static let shape = Shape<BookmarkChange>(
    "BookmarkChange", "Of several changes of one film only the last is told.",
    [
      .required("film_id", "") { $0.change.id },
      .required("op", "", as: .words(["put", "delete"])) { $0.change.isRemoved ? "delete" : "put" },
      .required("rev", "") { $0.change.revision },
      .optional("note", "") { $0.change.item?.note },
      .optional("created_at", "") { $0.change.item?.savedAt.stamp },
    ])
}

/// What changed since a revision.
nonisolated struct ChangesPage: Presentable {
  var page: ItemChangePage

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.array("data", of: page.changes.map { BookmarkChange(change: $0) })
      json.field("has_more", page.hasMore)
      json.field("next_cursor", String(page.revision))
      json.field("rev", Int(page.revision.magnitude))
      json.field("reset", page.isReset)
    }
  }

  static var schema: Schema {
    .object(
      [
        ("data", .array(of: BookmarkChange.schema), true), ("has_more", .boolean, true),
        ("next_cursor", .string("Ask again `since` this, at any later time."), true),
        ("rev", .integer(), true),
        (
          "reset", Schema.boolean.described("The log does not reach back: drop what you have, this is all there is."),
          true
        ),
      ], isOpen: true)
  }
}

/// What holds after something was saved or removed.
nonisolated struct ReceiptPage: Shaped, Equatable {
  var id: String
  var receipt: ItemReceipt

  static let shape = Shape<ReceiptPage>(
    "BookmarkReceipt", "Durable when it is read.",
    [
      .required("film_id", "") { $0.id },
      .optional("note", "") { $0.receipt.item?.note },
      .optional("created_at", "") { $0.receipt.item?.savedAt.stamp },
      .required("rev", "The user's revision now.") { $0.receipt.revision },
    ])
}

/// Where somebody's calendar is.
nonisolated struct FeedPage: Shaped, Equatable {
  var key: String
  var base: String

  private var path: String { "/v1/me/bookmarks.ics?key=\(key)" }

  static let shape = Shape<FeedPage>(
    "Feed", "Whoever has the address can read when your films play, and nothing else.",
    [
      .required("key", "") { $0.key },
      .required("url", "") { $0.base + $0.path },
      .required("webcal_url", "What calendar programs open.") { page in
        "webcal" + page.base.drop { $0 != ":" } + page.path
      },
    ])
}

/// A code to type on another device.
nonisolated struct PairingPage: Shaped, Equatable {
  var code: PairingCode

  static let shape = Shape<PairingPage>(
    "PairingCode", "A code to type on the other device.",
    [
      .required("code", "Without letters that look alike.") { $0.code.code },
      .required("expires_at", "") { $0.code.expiresAt.stamp },
    ])
}

/// A user's history.
nonisolated struct ViewItem: Shaped, Equatable {
  var view: View

  static let shape = Shape<ViewItem>(
    "View", "A look at something.",
    [
      .required("kind", "") { $0.view.kind.rawValue },
      .required("id", "") { $0.view.id },
      .optional("at", "") { $0.view.at?.stamp },
    ])
}

/// How many looks were kept.
nonisolated struct ViewsPage: Shaped, Equatable {
  var recorded: ViewsRecorded

  static let shape = Shape<ViewsPage>(
    "ViewsRecorded", "", [.required("kept", "None, if your settings say so.") { $0.recorded.kept }])
}
