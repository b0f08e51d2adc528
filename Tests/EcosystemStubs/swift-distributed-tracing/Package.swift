// swift-tools-version: 6.1
import PackageDescription

// The declarations that AnvilEcosystem uses, as the documentation of swift-distributed-tracing 1.4.1 and swift-service-context 1.3.0 states
// them. `Tracing` exports the modules of the context and of instruments; here it declares them.
let package = Package(
  name: "swift-distributed-tracing",
  products: [.library(name: "Tracing", targets: ["Tracing"])],
  targets: [.target(name: "Tracing")])
