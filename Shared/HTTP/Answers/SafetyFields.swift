/// The fields that keep browsers from being turned against their users.
nonisolated package struct SafetyFields: Sendable {
  /// On every answer.
  package var always = [
    HTTPField("X-Content-Type-Options", "nosniff"),
    HTTPField("Referrer-Policy", "strict-origin-when-cross-origin"),
  ]
  /// On HTML, which alone runs anything.
  package var onPages: [HTTPField] = []

  /// `contentSecurityPolicy` is the page's own; without a page, nothing may run at all.
  package init(
    contentSecurityPolicy: String = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    permissionsPolicy: String? = nil
  ) {
    onPages = [
      HTTPField("Content-Security-Policy", contentSecurityPolicy),
      HTTPField("Cross-Origin-Opener-Policy", "same-origin"),
    ]
    if let permissionsPolicy { onPages.append(HTTPField("Permissions-Policy", permissionsPolicy)) }
  }
}
