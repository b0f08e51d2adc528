// swift-tools-version: 6.1
import PackageDescription

// The declarations that AnvilEcosystem uses, as the documentation of swift-openapi-runtime 1.11.0 states them.
let package = Package(
  name: "swift-openapi-runtime",
  products: [.library(name: "OpenAPIRuntime", targets: ["OpenAPIRuntime"])],
  dependencies: [.package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0")],
  targets: [
    .target(name: "OpenAPIRuntime", dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")])
  ])
