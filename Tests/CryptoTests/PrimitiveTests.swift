import Crypto
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "agrees with FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func vectors(message: String, digest: String) { #expect(Hex.encode(SHA256.digest(of: message)) == digest) }
}

@Suite("HMAC-SHA-256")
struct HMACTests {
  struct Vector: CustomTestStringConvertible {
    var key: [UInt8]
    var message: [UInt8]
    var code: String
    var testDescription: String { code }
  }

  /// RFC 4231, cases 1 to 4, 6 and 7.
  static let vectors = [
    Vector(
      key: Array(repeating: 0x0b, count: 20), message: Array("Hi There".utf8),
      code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    Vector(
      key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
      code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    Vector(
      key: Array(repeating: 0xaa, count: 20), message: Array(repeating: 0xdd, count: 50),
      code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    Vector(
      key: Array(1...25), message: Array(repeating: 0xcd, count: 50),
      code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    Vector(
      key: Array(repeating: 0xaa, count: 131),
      message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    Vector(
      key: Array(repeating: 0xaa, count: 131),
      message: Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
      code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
  ]

  @Test("agrees with RFC 4231", arguments: vectors)
  func agrees(vector: Vector) {
    #expect(Hex.encode(HMACSHA256.code(for: vector.message, key: Secret(vector.key))) == vector.code)
  }

  @Test("an empty message has a code, under an empty key too")
  func empty() {
    let code = Hex.encode(HMACSHA256.code(for: [UInt8](), key: Secret("")))
    #expect(code == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  @Test("a code is valid for its message and its key only")
  func validity() {
    let key = Secret.random()
    let message = Array("v1.k.u".utf8)
    let code = HMACSHA256.code(for: message, key: key)
    #expect(HMACSHA256.isValid(code, for: message, key: key))
    #expect(!HMACSHA256.isValid(code, for: message + [0], key: key))
    #expect(!HMACSHA256.isValid(code, for: message, key: .random()))
    for bit in 0..<256 {
      var changed = code
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(!HMACSHA256.isValid(changed, for: message, key: key))
    }
    for count in 0..<code.count { #expect(!HMACSHA256.isValid(Array(code.prefix(count)), for: message, key: key)) }
  }
}

@Suite("Comparison in constant time")
struct ComparisonTests {
  @Test("tells equal from unequal, of any length")
  func equality() {
    #expect(constantTimeEqual([], []))
    #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
    #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
    #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
    #expect(!constantTimeEqual([], [0]))
  }
}

@Suite("SecureRandom")
struct SecureRandomTests {
  @Test("gives as many bytes as asked for, never the same")
  func bytes() {
    for count in [0, 1, 31, 32, 10_000] { #expect(SecureRandom.bytes(count).count == count) }
    #expect(SecureRandom.bytes(16) != SecureRandom.bytes(16))
    #expect(Set(SecureRandom.bytes(10_000)).count == 256)
    var random = SecureRandom()
    #expect(Set((0..<100).map { _ in random.next() }).count == 100)
  }
}

@Suite("Text encodings")
struct TextEncodingTests {
  @Test(
    "base64url agrees with RFC 4648 without padding",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64(bytes: String, text: String) {
    #expect(Base64URL.encode(bytes.utf8) == text)
    #expect(Base64URL.decode(text) == Array(bytes.utf8))
  }

  @Test("the two letters that differ from plain base64 are used")
  func alphabet() {
    #expect(Base64URL.encode([0xfb, 0xff]) == "-_8")
    #expect(Base64URL.decode("-_8") == [0xfb, 0xff])
  }

  @Test(
    "text that is not the one text of some bytes is refused",
    arguments: ["Zg==", "Z", "Zh", "Zm9", "+/8", "Zm 8", "Zm8\n", "Zm8é", "AAAAA"])
  func refusals(text: String) { #expect(Base64URL.decode(text) == nil) }

  @Test("every byte string comes back from both encodings")
  func roundTrip() {
    for count in 0..<70 {
      let bytes = SecureRandom.bytes(count)
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
      #expect(Hex.decode(Hex.encode(bytes)) == bytes)
    }
  }

  @Test("hexadecimal digits come in pairs and nothing else does")
  func hex() {
    #expect(Hex.encode([0, 0x0f, 0xff]) == "000fff")
    #expect(Hex.decode("000FfF") == [0, 0x0f, 0xff])
    for text in ["0", "0g", "0x", " 00", "00 ", "é0"] { #expect(Hex.decode(text) == nil) }
  }
}
