import Crypto
import Foundation
import Testing

@Suite("Secret")
struct SecretTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  private func file(_ text: String, mode: Int = 0o600) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: UUID().uuidString).path
    try #require(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  private let good = "3f9a1c0d77e24b5a"

  @Test("never prints itself")
  func printing() {
    let secret = Secret(good)
    var dumped = ""
    dump([secret], to: &dumped)
    for text in ["\(secret)", String(describing: [secret]), String(reflecting: secret), dumped] {
      #expect(!text.contains(good), "\(text)")
    }
    #expect(secret.revealed == good)
    #expect(Mirror(reflecting: secret).children.isEmpty)
  }

  @Test("equal bytes are equal secrets")
  func equality() {
    #expect(Secret("abc") == Secret(Array("abc".utf8)))
    #expect(Secret("abc") != Secret("abd"))
    #expect(Secret("abc") != Secret("abcd"))
    #expect(Secret("") == Secret(""))
  }

  @Test("is read from a file of its owner's, without the line end", arguments: ["", "\n", "\r\n", "\n\n"])
  func reading(ending: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try Secret(contentsOfFile: file(good + ending)).revealed == good)
    #expect(try Secret(contentsOfFile: file(good + ending, mode: 0o400)).revealed == good)
  }

  @Test("a file that others can read is refused", arguments: [0o640, 0o604, 0o644, 0o660, 0o620, 0o601])
  func permissions(mode: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try file(good, mode: mode)
    let refusal = SecretError.readableByOthers(path: path, mode: UInt32(mode))
    #expect(throws: refusal) { try Secret(contentsOfFile: path) }
    #expect("\(refusal)".hasSuffix("try: chmod 600 \(path)"))
  }

  @Test("a key that somebody else gives out is not to be made up")
  func issued() {
    for error in [SecretError.empty(path: "k"), .tooShort(path: "k", bytesMin: 16), .placeholder(path: "k")] {
      #expect(error.told().hasSuffix("try: openssl rand -hex 32 > k") && error.told() == "\(error)")
      let told = error.told(issuer: "provider.example/keys")
      #expect(told.hasSuffix("put the key into it that you have from provider.example/keys"))
    }
  }

  @Test("an empty, short, long or placeholder secret is refused")
  func contents() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for text in ["", "\n", "\r\n\r\n"] {
      let path = try file(text)
      #expect(throws: SecretError.empty(path: path)) { try Secret(contentsOfFile: path) }
    }
    let short = try file("3f9a1c0d77e24b5")
    #expect(throws: SecretError.tooShort(path: short, bytesMin: 16)) { try Secret(contentsOfFile: short) }
    let long = try file(String(repeating: good, count: 257))
    #expect(throws: SecretError.tooLong(path: long, bytesMax: 4_096)) { try Secret(contentsOfFile: long) }
    for text in [
      "change-me-change-me", "CHANGEME_CHANGEME", "aaaaaaaaaaaaaaaaaaaa", "<your-key-here-please>", "password12345678",
    ] {
      let path = try file(text)
      #expect(throws: SecretError.placeholder(path: path), "\(text)") { try Secret(contentsOfFile: path) }
    }
  }

  @Test("what is not a file is refused")
  func notAFile() throws {
    #expect(throws: SecretError.unreadable(path: "/nowhere/at/all", errno: ENOENT)) {
      try Secret(contentsOfFile: "/nowhere/at/all")
    }
    #expect(throws: SecretError.notAFile(path: "/")) { try Secret(contentsOfFile: "/") }
    #expect(throws: SecretError.notAFile(path: "/dev/zero")) { try Secret(contentsOfFile: "/dev/zero") }
  }

  @Test("new ones differ")
  func random() {
    #expect(Secret.random() != Secret.random())
    #expect(Secret.random(48).count == 48)
  }
}
