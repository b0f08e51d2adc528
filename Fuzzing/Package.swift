// swift-tools-version: 6.3

import PackageDescription

// Built by scripts/fuzz, which adds the sanitizers: libFuzzer brings the `main` that this executable does not have.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Anvil", path: "..")],
  targets: [
    .executableTarget(
      name: "AnvilFuzz",
      dependencies: ["CCoverage", .product(name: "AnvilParsers", package: "Anvil")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
        .unsafeFlags(["-parse-as-library"]),
      ],
      linkerSettings: [
        .unsafeFlags(
          ["8bit_counters", "pcs"].flatMap { ["-Xlinker", "--wrap=__sanitizer_cov_\($0)_init"] },
          .when(platforms: [.linux]))
      ]),
    .target(name: "CCoverage"),
  ]
)
