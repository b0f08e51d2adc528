// swift-tools-version: 6.1
import PackageDescription

// The declarations that AnvilEcosystem uses, as the documentation of swift-http-types 1.6.0 states them.
let package = Package(
  name: "swift-http-types",
  products: [.library(name: "HTTPTypes", targets: ["HTTPTypes"])],
  targets: [.target(name: "HTTPTypes")])
