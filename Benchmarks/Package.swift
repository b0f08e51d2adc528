// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "anvil-bench", targets: ["AnvilBench"]),
    .executable(name: "anvil-stream-bench", targets: ["AnvilStreamBench"]),
  ],
  dependencies: [.package(name: "Anvil", path: "..")],
  targets: [
    .target(name: "CAllocations"),
    .executableTarget(
      name: "AnvilBench",
      dependencies: ["CAllocations", .product(name: "AnvilJSON", package: "Anvil")],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]),
    // A program of its own: what it links would be in the other's figures.
    .executableTarget(
      name: "AnvilStreamBench",
      dependencies: [.product(name: "Anvil", package: "Anvil"), .product(name: "AnvilTesting", package: "Anvil")],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]),
  ]
)
