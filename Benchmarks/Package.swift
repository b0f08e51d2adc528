// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "anvil-bench", targets: ["AnvilBench"])],
  dependencies: [.package(name: "Anvil", path: "..")],
  targets: [
    .target(name: "CAllocations"),
    .executableTarget(
      name: "AnvilBench",
      dependencies: ["CAllocations", .product(name: "AnvilJSON", package: "Anvil")],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]),
  ]
)
