// swift-tools-version: 6.1
import PackageDescription

// The declarations that AnvilEcosystem and its tests use, as the documentation of swift-service-lifecycle 2.11.0 states them.
let package = Package(
  name: "swift-service-lifecycle",
  products: [.library(name: "ServiceLifecycle", targets: ["ServiceLifecycle"])],
  dependencies: [.package(url: "https://github.com/apple/swift-log.git", from: "1.5.2")],
  targets: [.target(name: "ServiceLifecycle", dependencies: [.product(name: "Logging", package: "swift-log")])])
