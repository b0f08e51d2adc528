// swift-tools-version: 6.3

import Foundation
import PackageDescription

/// The folder of the toolchain's SwiftSyntax: nothing is fetched, and the parser is that of the compiler.
let host: String = {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["swift", "-print-target-info"]
  process.standardOutput = output
  try? process.run()
  let information = try? JSONSerialization.jsonObject(with: output.fileHandleForReading.readDataToEndOfFile())
  let paths = (information as? [String: Any])?["paths"] as? [String: Any]
  return (paths?["runtimeResourcePath"] as? String ?? "") + "/host"
}()

// Built and run by scripts/mutate.
let package = Package(
  name: "Mutation",
  platforms: [.macOS(.v15)],
  targets: [
    .executableTarget(
      name: "AnvilMutate",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .unsafeFlags(["-I", host]),
      ],
      linkerSettings: [.unsafeFlags(["-L", host, "-Xlinker", "-rpath", "-Xlinker", host])])
  ]
)
