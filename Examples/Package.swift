// swift-tools-version: 6.2
import PackageDescription

// Two apps that use the photo library, as an app of its own would: all they have of albumd is `AlbumClient`.
let package = Package(
  name: "examples",
  dependencies: [.package(name: "albumd", path: "..")],
  targets: [
    // What both say to the person at the terminal, and how.
    .target(name: "ExampleApp", dependencies: [.product(name: "AlbumClient", package: "albumd")]),
    .executableTarget(
      name: "wallpaper-saver",
      dependencies: ["ExampleApp", .product(name: "AlbumClient", package: "albumd")]),
    .executableTarget(
      name: "sticker-editor",
      dependencies: ["ExampleApp", .product(name: "AlbumClient", package: "albumd")]),
  ],
  swiftLanguageModes: [.v6]
)
