// swift-tools-version: 6.1
import PackageDescription

// The declarations that AnvilEcosystem uses, as the documentation of swift-metrics 2.10.1 states them.
let package = Package(
  name: "swift-metrics",
  products: [.library(name: "CoreMetrics", targets: ["CoreMetrics"])],
  targets: [.target(name: "CoreMetrics")])
