// swift-tools-version: 6.1
import PackageDescription

// The declarations that AnvilEcosystem uses, as the documentation of swift-log 1.14.0 states them.
let package = Package(
  name: "swift-log",
  products: [.library(name: "Logging", targets: ["Logging"])],
  targets: [.target(name: "Logging")])
