// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

/// `true` if `anvil-bench` is built without the diagnosis: Benchmarks/measure-diagnosis compares the two.
let isWithoutDiagnosis = Context.environment["ANVIL_WITHOUT_DIAGNOSIS"] != nil

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "anvil-bench", targets: ["AnvilBench"]),
    .executable(name: "anvil-stream-bench", targets: ["AnvilStreamBench"]),
    .executable(name: "anvil-store-bench", targets: ["AnvilStoreBench"]),
    .executable(name: "anvil-transport-bench", targets: ["AnvilTransportBench"]),
    .executable(name: "anvil-transport-loop", targets: ["CTransportLoop"]),
    .executable(name: "anvil-pull-loop", targets: ["CPullLoop"]),
  ],
  dependencies: [.package(name: "Anvil", path: "..")],
  targets: [
    .target(name: "CAllocations"),
    .target(name: "CStoreLoop", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "Rounds", swiftSettings: settings),
    .executableTarget(
      name: "AnvilBench",
      dependencies: [
        "CAllocations", "Rounds", .product(name: "AnvilJSON", package: "Anvil"),
        .product(name: "AnvilCodable", package: "Anvil"),
      ]
        + (isWithoutDiagnosis ? [] : [.product(name: "AnvilDiagnosis", package: "Anvil")]),
      swiftSettings: settings + (isWithoutDiagnosis ? [.define("WITHOUT_DIAGNOSIS")] : [])),
    // Programs of their own: what they link would be in the other's figures.
    .executableTarget(
      name: "AnvilStreamBench",
      dependencies: [.product(name: "Anvil", package: "Anvil"), .product(name: "AnvilTesting", package: "Anvil")],
      swiftSettings: settings),
    .executableTarget(
      name: "AnvilStoreBench",
      dependencies: [
        "CStoreLoop", "Rounds", .product(name: "Anvil", package: "Anvil"),
        .product(name: "AnvilPostgres", package: "Anvil"),
        .product(name: "AnvilStore", package: "Anvil"), .product(name: "AnvilSQLite", package: "Anvil"),
        .product(name: "AnvilSync", package: "Anvil"),
      ],
      swiftSettings: settings),
    // What transports are held against has a process without Swift's libraries.
    .executableTarget(name: "CTransportLoop", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(name: "CPullLoop", linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "AnvilTransportBench",
      dependencies: [
        "Rounds", .product(name: "Anvil", package: "Anvil"), .product(name: "AnvilCurl", package: "Anvil"),
        .product(name: "AnvilURLSession", package: "Anvil"),
      ],
      swiftSettings: settings),
  ]
)
