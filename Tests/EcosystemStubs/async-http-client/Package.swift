// swift-tools-version: 6.1
import PackageDescription

// The declarations that AnvilEcosystem and its tests use, as the documentation of async-http-client 1.33.1 states them.
let package = Package(
  name: "async-http-client",
  products: [.library(name: "AsyncHTTPClient", targets: ["AsyncHTTPClient"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.82.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
  ],
  targets: [
    .target(
      name: "AsyncHTTPClient",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
      ])
  ])
