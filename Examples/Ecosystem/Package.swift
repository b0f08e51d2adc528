// swift-tools-version: 6.3

import PackageDescription

// A package of its own: only programs that enable traits of Anvil need the packages of these traits.
let package = Package(
  name: "Ecosystem",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Anvil", path: "../..", traits: ["SwiftLog", "SwiftTracing"]),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.11.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.2.0"),
  ],
  targets: [
    .executableTarget(
      name: "ecosystem",
      dependencies: [
        .product(name: "Anvil", package: "Anvil"),
        .product(name: "AnvilEcosystem", package: "Anvil"),
        .product(name: "AnvilTesting", package: "Anvil"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ])
  ]
)
