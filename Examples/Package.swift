// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Anvil", path: "..")],
  targets: [
    .executableTarget(
      name: "demo",
      dependencies: [
        .product(name: "Anvil", package: "Anvil"),
        .product(name: "AnvilSQLite", package: "Anvil"),
        .product(name: "AnvilSync", package: "Anvil"),
        .product(name: "AnvilTesting", package: "Anvil"),
      ]),
    .executableTarget(
      name: "quickstart",
      dependencies: [
        .product(name: "Anvil", package: "Anvil"),
        .product(name: "AnvilTesting", package: "Anvil"),
      ]),
    .executableTarget(
      name: "chat",
      dependencies: [
        .product(name: "Anvil", package: "Anvil"),
        .product(name: "AnvilTesting", package: "Anvil"),
      ]),
    .executableTarget(
      name: "github",
      dependencies: [
        .product(name: "Anvil", package: "Anvil"),
        .product(name: "AnvilTesting", package: "Anvil"),
      ]),
  ]
)
