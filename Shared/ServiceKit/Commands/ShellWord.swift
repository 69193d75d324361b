nonisolated extension String {
  /// As one word of a shell's command line: for commands that are told to be typed as they stand.
  package var shellWord: String {
    let isPlain = !isEmpty && unicodeScalars.allSatisfy(Self.isPlainInShells)
    return isPlain
      ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  private static func isPlainInShells(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", ":", ",", "+", "@", "%": true
    default: scalar.value >= 0x80 && scalar.properties.isAlphabetic
    }
  }
}
