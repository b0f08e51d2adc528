// swift-tools-version: 6.0

import PackageDescription

// The products of swift-syntax, from the toolchain's modules: with them, the manifest of Anvil is built as on Apple's platforms, without the
// network.
let names = [
  "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacroExpansion",
  "SwiftSyntaxMacros",
]

let package = Package(
  name: "swift-syntax",
  products: [.library(name: "SwiftCompilerPlugin", targets: ["SwiftCompilerPlugin"])]
    + names.map { .library(name: $0, targets: ["Toolchain"]) },
  targets: [.target(name: "SwiftCompilerPlugin"), .target(name: "Toolchain")]
)
