// swift-tools-version: 6.1
import PackageDescription

// The declarations that AnvilEcosystem uses, as the documentation of swift-nio 2.101.3 states them.
let package = Package(
  name: "swift-nio",
  products: [
    .library(name: "NIOCore", targets: ["NIOCore"]),
    .library(name: "NIOHTTP1", targets: ["NIOHTTP1"]),
    .library(name: "NIOPosix", targets: ["NIOPosix"]),
  ],
  targets: [.target(name: "NIOCore"), .target(name: "NIOHTTP1"), .target(name: "NIOPosix")])
