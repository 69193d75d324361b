import CCurl

/// Cookies that several requests share. libcurl keeps them, by the rules of RFC 6265 and the public suffix list.
package final class CookieJar: Sendable {
  // Safety: libcurl touches it only inside calls that we make, and those come from the loop's thread.
  nonisolated(unsafe) let share: OpaquePointer?

  package init() {
    let share = curl_share_init()
    ccurl_share_cookies(share)
    self.share = share.map { OpaquePointer($0) }
  }

  deinit { curl_share_cleanup(share.map { UnsafeMutableRawPointer($0) }) }
}
