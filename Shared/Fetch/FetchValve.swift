/// Lets a transfer wait for whoever takes its pieces: while it is shut, nothing more is read from the site.
///
/// The receiver of `FetchRequest.BodyUse.pieces` shuts it when enough waits, and opens it when there is room again. What
/// has come meanwhile is kept by libcurl, some 64 KiB, and by the kernel; the rest stays with the site.
package final class FetchValve {
  package private(set) var isShut = false
  /// Whose transfer goes on when it is opened.
  var resume: (() -> Void)?

  package init() {}

  package func shut() { isShut = true }

  /// Not from within a receiver: it is in the middle of the transfer.
  package func open() {
    guard isShut else { return }
    isShut = false
    resume?()
  }
}
