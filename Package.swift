// swift-tools-version:6.2
import PackageDescription

// The layers, bottom to top. A target imports only what its line names: Tests/ArchitectureTests holds it to that.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
  // Lets generic code be specialised where it is called, if it is public: no body of what is `package` is written.
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
  // Overlapping accesses are found by the compiler and by the debug builds that all tests run in.
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
  // So are closures of the loop that something calls on another thread.
  .unsafeFlags(["-Xfrontend", "-disable-dynamic-actor-isolation"], .when(configuration: .release)),
]

/// What computes: unoptimised, tests would wait minutes for it. What it asserts, it asserts then too.
let computingSettings = settings + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// A target whose code runs on the loop: one thread, so the main actor is the default and state needs no locks.
let loopSettings = settings + [.defaultIsolation(MainActor.self)]

func named(_ names: [String]) -> [Target.Dependency] { names.map { .init(stringLiteral: $0) } }

/// A C library from Debian: a module map and static-inline wrappers, imported by exactly one target.
func system(_ name: String, _ pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, path: "Shared/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// C of our own. `data` are files that it embeds.
func native(_ name: String, _ imports: String..., path: String = "Shared", data: [String] = []) -> Target {
  .target(
    name: name, dependencies: named(imports), path: "\(path)/\(name)", exclude: ["README.md"] + data,
    cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror", "-std=gnu2x"])])
}

func platform(_ name: String, _ imports: String...) -> Target {
  .target(
    name: name, dependencies: named(imports), path: "Shared/\(name)", exclude: ["README.md"], swiftSettings: settings)
}

func computing(_ name: String, _ imports: String...) -> Target {
  .target(
    name: name, dependencies: named(imports), path: "Shared/\(name)", exclude: ["README.md"],
    swiftSettings: computingSettings)
}

func loop(_ name: String, _ imports: String...) -> Target {
  .target(
    name: name, dependencies: named(imports), path: "Shared/\(name)", exclude: ["README.md"],
    swiftSettings: loopSettings)
}

func service(_ name: String, _ imports: String..., excluding: [String] = []) -> Target {
  .executableTarget(
    name: name, dependencies: named(["Contracts", "RPC", "Observability", "ServiceKit"] + imports),
    path: "Services/\(name)", exclude: ["README.md"] + excluding, swiftSettings: loopSettings)
}

func tests(_ name: String, _ imports: String..., data: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: named([name, "TestKit"] + imports), path: "Tests/\(name)Tests",
    exclude: data, swiftSettings: settings)
}

let package = Package(
  name: "odi",
  products: [
    .executable(name: "odi-bench", targets: ["Benchmarks"]),
    .executable(name: "odi-demo", targets: ["Demo"]),
    .executable(name: "odi-scraper", targets: ["Scraper"]),
    .executable(name: "odi-bookmarks", targets: ["Bookmarks"]),
    .executable(name: "odi-gateway", targets: ["Gateway"]),
    .executable(name: "odi", targets: ["Supervisor"]),
    .executable(name: "odi-locator", targets: ["Locator"]),
    .executable(name: "odi-films", targets: ["Films"]),
    .executable(name: "odi-dining", targets: ["Dining"]),
    .executable(name: "odi-radio", targets: ["Radio"]),
    .executable(name: "odi-timetable", targets: ["Timetable"]),
  ],
  targets: [
    // C libraries: each is imported by exactly one target.
    system("CUV", "libuv", apt: "libuv1-dev"),
    system("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
    system("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
    system("CGumbo", "gumbo", apt: "libgumbo-dev"),
    system("CCrypto", "libcrypto", apt: "libssl-dev"),
    system("CZlib", "zlib", apt: "zlib1g-dev"),
    system("CZBar", "zbar", apt: "libzbar-dev"),
    system("CJPEG", "libjpeg", apt: "libjpeg62-turbo-dev"),
    native("CExecutor"),
    native("CFaultVFS", "CSQLite"),
    native("CGatheredWAL", "CSQLite"),
    native("CGumboGuard", "CGumbo"),
    native("CAtlas", data: ["korea.csv", "london.csv", "films.csv", "people.csv", "stations.csv"]),
    native("CWeb"),

    // Leaves: no I/O, no Foundation.
    platform("Clocks"),
    computing("Wire"),
    platform("Observability", "Clocks"),
    computing("Calendars", "Clocks"),
    computing("JSON"),
    computing("CSV", "JSON"),
    platform("Atlas", "CAtlas"),
    computing("TextSearch"),
    computing("Spatial"),
    computing("QR"),
    computing("XML"),
    platform("AudioStreams", "JSON"),
    computing("Recommendation", "CSV"),

    // One target per outside thing.
    platform("Crypto", "CCrypto"),
    computing("Compression", "CZlib"),
    computing("HTML", "CGumbo", "CGumboGuard"),
    computing("QRReading", "CZBar", "CJPEG", "Compression"),
    platform("Storage", "CGatheredWAL", "CSQLite", "Clocks", "Observability"),
    loop("EventLoops", "CUV", "CExecutor", "Clocks", "Observability"),
    loop("Fetch", "CCurl", "EventLoops", "Clocks", "Observability"),
    loop("HTTP", "EventLoops", "Compression", "JSON", "Clocks", "Observability"),

    // Screenings out of pages and feeds that nobody configured.
    computing("Extraction", "HTML", "JSON", "CSV", "Calendars", "Clocks"),

    // RPC is the model of a call, RPCTransport is the sockets.
    platform("RPC", "Wire", "Clocks", "Observability"),
    loop("RPCTransport", "RPC", "Wire", "EventLoops", "Crypto", "Clocks", "Observability"),

    // What services say to each other, and what they are built from.
    platform("Contracts", "RPC", "Wire", "Calendars", "Clocks"),

    // Records as people write them, and films as others do. Programmes of festivals: their formats, their grids, what is
    // wrong with them.
    platform("Drafts", "Contracts", "RPC", "Calendars"),
    computing("FilmFiles", "Contracts", "Drafts", "Calendars", "CSV", "JSON", "TextSearch"),
    platform("Festivals", "Contracts", "Calendars", "Clocks", "CSV", "JSON", "TextSearch", "XML"),
    loop(
      "ServiceKit", "RPC", "Wire", "RPCTransport", "EventLoops", "HTTP", "JSON", "Crypto", "Clocks", "Observability"),

    // A list that people edit, as it is served and told of.
    loop("Directories", "Contracts", "Drafts", "ServiceKit", "EventLoops", "JSON", "Clocks", "Observability"),

    // Runs them all on one machine.
    service("Supervisor", "RPCTransport", "EventLoops", "JSON", "Crypto", "Clocks"),

    // A service's database: its life, its requests and its commands.
    loop(
      "ServiceStorage", "ServiceKit", "Storage", "Drafts", "RPC", "Wire", "JSON", "Clocks", "Observability"),

    // The services: each a process of its own, none imports another.
    service(
      "Locator", "ServiceStorage", "Storage", "Atlas", "Calendars", "Clocks", "Crypto", "CSV", "Directories", "Drafts",
      "EventLoops", "HTML", "JSON", "Spatial", "TextSearch", "Wire", "XML"),
    service(
      "Demo", "Atlas", "CSV", "Calendars", "Clocks", "Compression", "Crypto", "EventLoops", "HTTP", "JSON"),
    service(
      "Radio", "Atlas", "AudioStreams", "Calendars", "Clocks", "CSV", "Directories", "Drafts", "EventLoops", "Fetch",
      "HTML", "JSON", "ServiceStorage", "Storage", "TextSearch", "Wire", "XML"),
    service(
      "Scraper", "Atlas", "Calendars", "Clocks", "Compression", "Crypto", "CSV", "Directories", "EventLoops",
      "Extraction", "Fetch", "HTML", "JSON", "RPCTransport", "ServiceStorage", "Storage", "TextSearch", "Wire"),
    service(
      "Bookmarks", "ServiceStorage", "Storage", "Wire", "EventLoops", "Crypto", "JSON", "CSV", "Calendars", "Clocks"),
    service(
      "Timetable", "ServiceStorage", "Storage", "Festivals", "QR", "QRReading", "Calendars", "Clocks", "Crypto", "CSV",
      "Directories", "Drafts", "EventLoops", "JSON", "TextSearch", "Wire"),
    service(
      "Dining", "Atlas", "CSV", "Calendars", "Clocks", "Crypto", "Directories", "Drafts", "EventLoops", "Fetch", "HTML",
      "JSON", "RPCTransport", "ServiceStorage", "Spatial", "Storage", "TextSearch", "Wire"),
    service(
      "Films", "ServiceStorage", "Storage", "Atlas", "CSV", "Calendars", "Clocks", "Crypto", "Directories", "Drafts",
      "EventLoops", "Extraction", "Fetch", "FilmFiles", "HTML", "HTTP", "JSON", "Recommendation", "RPCTransport",
      "TextSearch",
      "Wire"),
    service(
      "Gateway", "HTTP", "CSV", "JSON", "XML", "QR", "Crypto", "Calendars", "Clocks", "EventLoops", "RPCTransport",
      "TextSearch", "CWeb", "Wire", "Festivals", excluding: ["Web"]),

    // Built by deploy/build: all programs side by side.
    .target(
      name: "Programs",
      dependencies: named([
        "Supervisor", "Demo", "Locator", "Scraper", "Bookmarks", "Films", "Dining", "Timetable", "Radio", "Gateway",
      ]), path: "deploy/programs", swiftSettings: settings),

    // Measured beside the peers by deploy/bench.
    .executableTarget(
      name: "Benchmarks",
      dependencies: named([
        "Contracts", "RPC", "RPCTransport", "Wire", "Storage", "HTTP", "Fetch", "EventLoops", "Clocks", "Spatial",
        "CSV", "Recommendation", "Extraction", "Calendars", "Festivals",
      ]),
      path: "Tests/Benchmarks/Odi", swiftSettings: loopSettings),

    // Tests mirror the sources; TestKit puts them on the loop.
    .target(
      name: "CTestMain", path: "Tests/CTestMain", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .target(
      name: "CAllocations", path: "Tests/CAllocations", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .target(
      name: "TestKit", dependencies: named(["CTestMain", "EventLoops", "Clocks", "Observability"]),
      path: "Tests/TestKit", swiftSettings: settings),
    .target(
      name: "GatewayFakes", dependencies: named(["Contracts", "Festivals", "RPC", "Calendars", "Clocks"]),
      path: "Tests/GatewayFakes", swiftSettings: settings),
    .executableTarget(
      name: "GatewayRehearsal",
      dependencies: named(["GatewayFakes", "RPC", "RPCTransport", "EventLoops", "Clocks"]),
      path: "Tests/GatewayRehearsal", swiftSettings: loopSettings),
    .target(
      name: "ServiceTestKit",
      dependencies: named([
        "ServiceKit", "RPC", "RPCTransport", "EventLoops", "Clocks", "JSON", "Observability", "CFaultVFS",
      ]),
      path: "Tests/ServiceTestKit", swiftSettings: settings),
    // What reads foreign bytes, fed with random ones by deploy/fuzz, which links it with libFuzzer.
    .target(
      name: "Fuzz",
      dependencies: named([
        "RandomContracts", "Contracts", "RPC", "RPCTransport", "Wire", "HTTP", "HTML", "Fetch", "Extraction",
        "AudioStreams", "Calendars", "JSON", "CSV", "TextSearch", "Compression", "Crypto", "EventLoops", "Clocks",
        "Festivals", "FilmFiles", "QRReading", "Recommendation",
      ]),
      path: "Tests/Fuzz", exclude: ["Corpus", "README.md", "targets"], swiftSettings: settings),
    .target(
      name: "RandomContracts",
      dependencies: named(["Contracts", "RPC", "Wire", "ServiceKit", "ServiceStorage", "Calendars", "Clocks"]),
      path: "Tests/RandomContracts", swiftSettings: settings),
    .testTarget(name: "ArchitectureTests", path: "Tests/ArchitectureTests", swiftSettings: settings),
    tests("CWeb"),
    tests("Wire", "Clocks", "CAllocations", data: ["Golden"]),
    tests("Observability", "Clocks"),
    tests("Calendars", "Clocks"),
    tests("Crypto"),
    tests("Compression", "Clocks"),
    tests("JSON", "Clocks"),
    tests("CSV"),
    tests("AudioStreams"),
    tests("TextSearch"),
    tests("Spatial", "Clocks"),
    tests("QRReading", "QR", "Compression"),
    tests("Festivals", "XML", "Contracts", "Calendars", "Clocks", "JSON"),
    tests("Drafts", "Calendars"),
    tests("Directories", "Clocks", "Observability"),
    tests("FilmFiles", "Atlas", "Contracts", "Drafts", "Calendars", "JSON"),
    tests("Recommendation", "CSV", "Clocks"),
    tests("HTML", "Clocks"),
    tests("Extraction", "HTML", "JSON", "Calendars", "Clocks", data: ["Pages", "PrintedTitles.tsv"]),
    tests("Storage", "CFaultVFS", "Clocks", "Observability"),
    tests("EventLoops", "Clocks"),
    tests("Fetch", "EventLoops", "Clocks", "Observability"),
    tests("HTTP", "EventLoops", "Compression", "JSON", "Clocks", "Observability", "CAllocations"),
    tests("RPC", "Wire", "Clocks"),
    tests("RPCTransport", "RPC", "Wire", "EventLoops", "Contracts", "Calendars", "Crypto", "Clocks", "Observability"),
    tests("Contracts", "RandomContracts", "Wire", "RPC", "Calendars", "Clocks"),
    tests(
      "RandomContracts", "Contracts", "RPC", "Wire", "Clocks", "Supervisor", "Demo", "Locator", "Films", "Timetable",
      "Radio", "Dining", "Gateway"),
    tests("Atlas", "Calendars", "CSV"),
    tests(
      "Scraper", "Demo", "ServiceTestKit", "ServiceKit", "ServiceStorage", "Storage", "Contracts", "RPC", "Compression",
      "RPCTransport", "Calendars", "Clocks", "EventLoops", "Fetch", "JSON", "Observability"),
    tests(
      "Demo", "Atlas", "ServiceKit", "RPC", "HTTP", "HTML", "JSON", "Fetch", "Extraction", "Calendars", "Clocks",
      "EventLoops", "Observability"),
    tests(
      "ServiceKit", "ServiceTestKit", "RPC", "RPCTransport", "EventLoops", "JSON", "Crypto", "Contracts", "Clocks",
      "Observability"),
    tests(
      "Locator", "Drafts", "ServiceKit", "ServiceTestKit", "Contracts", "RPC", "RPCTransport", "EventLoops", "JSON",
      "Calendars", "Clocks", "Atlas", "Spatial"),
    tests(
      "Timetable", "Bookmarks", "Films", "ServiceKit", "ServiceStorage", "ServiceTestKit", "Storage", "Contracts",
      "Festivals", "QR", "Compression", "RPC", "RPCTransport", "Calendars", "Clocks", "EventLoops", "JSON"),
    tests(
      "Films", "Drafts", "FilmFiles", "ServiceKit", "ServiceStorage", "ServiceTestKit", "Storage", "Contracts", "RPC",
      "RPCTransport", "EventLoops", "Fetch", "HTTP", "JSON", "Calendars", "Clocks", "Atlas", "Observability", "Wire",
      data: ["PrintedTitles.tsv"]),
    tests(
      "Radio", "Demo", "Drafts", "ServiceTestKit", "ServiceKit", "Contracts", "RPC", "RPCTransport", "EventLoops",
      "Fetch", "JSON", "AudioStreams", "Atlas", "Calendars", "Clocks", "Observability"),
    .executableTarget(
      name: "StubService", dependencies: named(["ServiceKit", "RPC", "Observability", "JSON"]),
      path: "Tests/StubService", swiftSettings: loopSettings),
    tests(
      "Supervisor", "StubService", "Demo", "Locator", "Scraper", "Bookmarks", "Films", "Dining", "Timetable", "Radio",
      "Gateway", "ServiceKit", "ServiceTestKit", "EventLoops", "JSON", "Clocks", "Observability"),
    tests("ServiceStorage", "ServiceKit", "ServiceTestKit", "Storage", "RPC", "JSON", "Observability"),
    tests(
      "Bookmarks", "ServiceTestKit", "ServiceStorage", "Contracts", "RPC", "RPCTransport", "ServiceKit", "Storage",
      "Calendars", "EventLoops", "Wire", "Crypto", "JSON", "Clocks", "Observability"),
    tests(
      "Dining", "Drafts", "ServiceTestKit", "ServiceKit", "Contracts", "RPC", "RPCTransport", "EventLoops", "JSON",
      "Calendars", "Clocks", "Observability"),
    tests(
      "Gateway", "GatewayFakes", "Festivals", "ServiceTestKit", "ServiceKit", "HTTP", "HTML", "JSON", "Extraction",
      "RPC", "RPCTransport", "EventLoops", "Contracts", "Calendars", "Crypto", "Clocks", "Observability",
      "CAllocations"),
  ]
)
