// swift-tools-version: 6.2
import PackageDescription

// Every target of ours speaks Swift 6 with no warning left standing. Imports are internal unless a
// public signature needs them, so that a layer cannot leak through another.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// One line per target: its layer is what it may import (docs/decisions/0001-layers.md, `make layers`).
func layer(_ name: String, _ imports: Target.Dependency...) -> Target {
  .target(name: name, dependencies: imports, swiftSettings: strict)
}
func tests(_ name: String, _ imports: Target.Dependency...) -> Target {
  .testTarget(name: name + "Tests", dependencies: imports, swiftSettings: strict)
}

// A library of the system, as pkg-config(1) knows it.
func library(_ name: String, _ pkgConfig: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig)
}

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let hummingbird = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

// What the page is drawn with.
let pageFiles =
  ["style.css", "icon.svg", "tick.svg"] + ["page", "news", "grid", "picker", "log"].map { "\($0).js" }
  + [
    "layout", "message", "home", "prompt", "picker", "apps", "app", "log", "lines", "deleted", "library",
    "sessions",
  ].map { "\($0).mustache" }

let package = Package(
  name: "albumd",
  products: [
    .executable(name: "albumd", targets: ["albumd"]),
    .executable(name: "albumctl", targets: ["albumctl"]),
    .executable(name: "albumweb", targets: ["albumweb"]),
    .executable(name: "albumd-pictures", targets: ["albumd-pictures"]),
    .library(name: "AlbumClient", targets: ["AlbumClient", "AlbumAPI"]),
    .library(name: "Varlink", targets: ["Varlink", "VarlinkTransport", "VarlinkServer"]),
    // Swift of any package's .varlink files.
    .plugin(name: "VarlinkInterfaces", targets: ["VarlinkInterfaces"]),
  ],
  dependencies: [
    // The best-kept SQLite toolkit for Swift; the registry must survive power loss.
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    // YAML with the line of every node, which a clear error needs.
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    // Commands, their help and completions for shells: the standard.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    // The page's HTTP, on SwiftNIO; the daemon links none of it.
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    // What Hummingbird's own types are made of, which are named where its programs are.
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    // TLS where the page has a certificate of its own: SwiftNIO's.
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    // The page's templates: they escape what they show, and no code is in them.
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    // Logging: the standard.
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
  ],
  targets: [
    // The kernel, SQLite and libsystemd.
    .target(name: "CLinux"),
    .target(name: "CSystemd", linkerSettings: [.linkedLibrary("systemd")]),
    // SHA-256, by the library that libsystemd brings along.
    .target(name: "CDigests", linkerSettings: [.linkedLibrary("gcrypt")]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    // What reads pictures (docs/decisions/0090-who-reads-pictures.md), and what it may do.
    library("CGExiv2", "gexiv2"),
    library("CVips", "vips"),
    library("CAVFormat", "libavformat"),
    library("CAVCodec", "libavcodec"),
    library("CSWScale", "libswscale"),
    library("CSeccomp", "libseccomp"),
    .target(
      name: "CPictures", dependencies: ["CGExiv2", "CVips", "CAVFormat", "CAVCodec", "CSWScale", "CSeccomp"],
      // Libavformat's file for pkg-config(1) does not name what its headers need; a program in C has no libm.
      linkerSettings: [.linkedLibrary("avutil"), .linkedLibrary("m")]),
    layer("Linux", "CLinux"),
    layer("Digests", "CDigests"),
    // Without IO: what people are told, the protocol, the permission model, the library's model.
    .target(
      name: "Words",
      // What is said where no file is installed; the same files are.
      resources: [
        .embedInCode("Catalogues/en.yaml"), .embedInCode("Catalogues/zh-Hans.yaml"),
        .embedInCode("Catalogues/zh-Hant.yaml"),
      ],
      swiftSettings: strict),
    layer("Varlink"),
    layer("VarlinkGenerator", "Varlink"),
    layer("Authorization", "Words"),
    // What is read in the root of a peer's process.
    layer("PeerRoots", "Authorization", "Linux", "CLinux"),
    layer("LibraryModel"),
    // IO, each of one kind.
    layer("EventLoop", "CSystemd", "CLinux", "Linux", logging),
    layer("VarlinkTransport", "Varlink", "Linux", "CLinux"),
    layer("VarlinkServer", "Varlink", "VarlinkTransport", "EventLoop", "Linux", "CLinux"),
    .target(
      name: "AlbumAPI", dependencies: ["Varlink"], swiftSettings: strict, plugins: ["VarlinkInterfaces"]),
    // What the errors of the interfaces say, for the daemon and for its clients.
    layer("Sentences", "AlbumAPI", "Varlink", "Words"),
    .target(
      name: "DaemonConfiguration", dependencies: ["Authorization", "Varlink", "Words", yams],
      // What is said where no file is installed; the same files are.
      resources: [
        .embedInCode("Guides/en.yaml"), .embedInCode("Guides/zh-Hans.yaml"),
        .embedInCode("Guides/zh-Hant.yaml"),
      ],
      swiftSettings: strict),
    layer("Storage", "Authorization", "CSQLite", "LibraryModel", "Linux", grdb, sqlite),
    layer("Inotify", "Linux", "CLinux", "EventLoop"),
    layer("LibraryIO", "LibraryModel", "Inotify", "EventLoop", "Linux", "CLinux", "Digests"),
    // What decides, and who asks.
    layer(
      "AlbumDaemon", "AlbumAPI", "Authorization", "DaemonConfiguration", "EventLoop", "LibraryIO",
      "LibraryModel", "Linux", "CLinux", "CSystemd", "PeerRoots", "PictureAPI", "Sentences", "Storage",
      "Varlink",
      "VarlinkServer", "VarlinkTransport", "Words", logging),
    layer("AlbumClient", "AlbumAPI", "Sentences", "Varlink", "VarlinkTransport", "Linux", "CLinux", "Words"),
    .target(
      name: "AlbumTerminal", dependencies: ["AlbumAPI", "AlbumClient", "Linux", "Words"],
      // What is said in other languages of that whose English stands in the code.
      resources: [.embedInCode("Texts/zh-Hans.yaml"), .embedInCode("Texts/zh-Hant.yaml")],
      swiftSettings: strict),
    .executableTarget(
      name: "albumd",
      dependencies: ["AlbumDaemon", "DaemonConfiguration", "EventLoop", "Linux", argumentParser, logging],
      swiftSettings: strict),
    // The program that reads pictures for the daemon, and what the two say to each other.
    .target(
      name: "PictureAPI", dependencies: ["Varlink"], swiftSettings: strict, plugins: ["VarlinkInterfaces"]),
    // What of a file says where it was taken, without IO and without any library.
    layer("Places", "PictureAPI"),
    layer(
      "Pictures", "Places", "CPictures", "AlbumAPI", "PictureAPI", "Varlink", "VarlinkTransport", "Linux"),
    .executableTarget(
      name: "albumd-pictures", dependencies: ["Pictures", "Linux"], swiftSettings: strict),
    .executableTarget(
      name: "albumctl",
      dependencies: [
        "AlbumTerminal", "AlbumClient", "AlbumAPI", "Varlink", "VarlinkTransport", "Linux", "CLinux", "Words",
        argumentParser,
      ], swiftSettings: strict),

    // The page: what it decides, without IO; and its program.
    layer("AlbumWeb", "AlbumAPI", "Digests"),
    // The desktop's notifications, by sd-bus.
    .target(name: "CNotifications", linkerSettings: [.linkedLibrary("systemd")]),
    layer("Notifications", "CNotifications", "Linux"),
    .executableTarget(
      name: "albumweb",
      dependencies: [
        "AlbumWeb", "AlbumTerminal", "AlbumClient", "AlbumAPI", "Varlink", "VarlinkTransport", "CLinux",
        "Linux", "Notifications",
        "Words", hummingbird, mustache, argumentParser, logging,
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      resources: pageFiles.map { .embedInCode("Resources/\($0)") }, swiftSettings: strict),

    // Definitions become Swift while the package is built.
    .executableTarget(
      name: "varlink-interfaces", dependencies: ["VarlinkGenerator", "Varlink"], swiftSettings: strict),
    .plugin(name: "VarlinkInterfaces", capability: .buildTool(), dependencies: ["varlink-interfaces"]),

    // Both sides of org.varlink.certification, against which foreign implementations are run.
    .executableTarget(
      name: "varlink-certification",
      dependencies: ["Varlink", "VarlinkTransport", "VarlinkServer", "EventLoop", "Linux"],
      path: "Tests/Certification", swiftSettings: strict, plugins: ["VarlinkInterfaces"]),

    // An app with an executable of its own: it connects, and hands the connection to the test.
    .executableTarget(
      name: "test-app", dependencies: ["VarlinkTransport", "Linux"], path: "Tests/TestApp",
      swiftSettings: strict),

    // What reading assets costs an app, beside C (Benchmarks/README.md).
    .executableTarget(
      name: "read-assets", dependencies: ["AlbumClient", "AlbumAPI"], path: "Benchmarks/ReadAssets",
      swiftSettings: strict),

    // The loop is one for a process, so the test targets share its thread.
    .target(
      name: "LoopTesting", dependencies: ["EventLoop"], path: "Tests/LoopTesting", swiftSettings: strict),

    // What tests of several targets need.
    .target(
      name: "TestSupport", dependencies: ["Linux", sqlite], path: "Tests/TestSupport", swiftSettings: strict),

    // Tries from inside of the sandbox what must not be possible there.
    .executableTarget(name: "confined", dependencies: ["CPictures"], path: "Tests/Confined"),

    tests("Words", "Words"),
    tests(
      "Pictures", "Pictures", "PictureAPI", "CPictures", "Linux", "TestSupport", "Varlink", "VarlinkTransport"
    ),
    tests("Places", "Places", "PictureAPI", "TestSupport"),
    tests("Varlink", "Varlink", "TestSupport"),
    tests("Sentences", "Sentences", "AlbumAPI", "Varlink", "Words"),
    .testTarget(
      name: "VarlinkGeneratorTests", dependencies: ["VarlinkGenerator", "Varlink"], exclude: ["Expected"],
      swiftSettings: strict, plugins: ["VarlinkInterfaces"]),
    tests("Authorization", "Authorization", "TestSupport"),
    tests("LibraryModel", "LibraryModel", "TestSupport"),
    tests("EventLoop", "EventLoop", "Linux", "LoopTesting", "TestSupport"),
    tests("VarlinkTransport", "VarlinkTransport", "Linux", "TestSupport"),
    tests(
      "VarlinkServer", "VarlinkServer", "VarlinkTransport", "Varlink", "EventLoop", "Linux", "LoopTesting",
      "TestSupport"),
    tests("AlbumAPI", "AlbumAPI", "TestSupport", "Varlink"),
    tests("DaemonConfiguration", "DaemonConfiguration", "Authorization", "TestSupport", "Words"),
    tests("Storage", "Storage", "Authorization", "LibraryModel", "Linux", "TestSupport"),
    tests(
      "LibraryIO", "LibraryIO", "Inotify", "LibraryModel", "Storage", "EventLoop", "Linux", "CLinux",
      "LoopTesting", "TestSupport"),
    tests(
      "AlbumDaemon", "AlbumDaemon", "AlbumAPI", "Authorization", "DaemonConfiguration", "EventLoop",
      "LibraryIO",
      "LibraryModel", "Linux", "CLinux", "LoopTesting", "PictureAPI", "Storage", "TestSupport", "Varlink",
      "VarlinkServer",
      "VarlinkTransport", "Words", logging),
    tests(
      "AlbumClient", "AlbumClient", "AlbumAPI", "Varlink", "VarlinkTransport", "Linux", "TestSupport", "Words"
    ),
    tests("AlbumWeb", "AlbumWeb", "AlbumAPI", "Digests", "LibraryModel"),
    tests("AlbumTerminal", "AlbumTerminal", "AlbumClient", "AlbumAPI", "Varlink", "TestSupport", "Words"),
    tests(
      "Integration", "AlbumClient", "AlbumAPI", "Varlink", "VarlinkTransport", "Linux", "CLinux",
      "TestSupport"),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzers link libFuzzer and are no part of any other build: `make fuzz`.
if let coverage = Context.environment["ALBUMD_FUZZERS"] {
  // What tells libFuzzer where an input went, where that is asked for: each place costs time with every input, and what
  // is not fuzzed has most of them.
  let parsers: Set = [
    "AlbumAPI", "AlbumTerminal", "Authorization", "DaemonConfiguration", "Inotify", "LibraryModel", "Linux",
    "PeerRoots", "PictureAPI", "Pictures", "Places", "Varlink", "VarlinkTransport", "Words",
  ]
  for target in package.targets where !coverage.isEmpty && parsers.contains(target.name) {
    target.swiftSettings = strict + [.unsafeFlags(["-sanitize=fuzzer", "-sanitize-coverage=\(coverage)"])]
  }
  package.targets += [
    .target(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "CLibFuzzer", "AlbumAPI", "AlbumTerminal", "Authorization", "CLinux",
        "DaemonConfiguration",
        "Inotify", "LibraryModel", "Linux", "PeerRoots", "PictureAPI", "Pictures", "Places", "Storage",
        "Varlink", "VarlinkTransport", "Words",
      ], path: "Fuzz/Sources", swiftSettings: strict),
  ]
}

// What is installed, and nothing that only tests or measures: `make release`, in one build.
if Context.environment["ALBUMD_INSTALLED"] != nil {
  let others: Set = [
    "LoopTesting", "TestSupport", "confined", "read-assets", "test-app", "varlink-certification",
  ]
  package.targets.removeAll { $0.type == .test || others.contains($0.name) }
}
