@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

// Not compiled if swift-syntax is a package dependency, whose module of this name has the same protocol: see Package.swift.

/// A program that the compiler runs to expand macros. It has the interface of `CompilerPlugin` of swift-syntax, whose module
/// `SwiftCompilerPlugin` toolchains for Linux do not have, and finds macros in the same way.
public protocol CompilerPlugin {
  /// Creates the plugin.
  init()

  /// The macros, each of which is found by its qualified name.
  var providingMacros: [any Macro.Type] { get }
}

extension CompilerPlugin {
  /// Answers the compiler's messages until it closes the stream.
  public static func main() throws {
    let connection = try StandardIOMessageConnection()
    try CompilerPluginMessageListener(connection: connection, provider: Provider(plugin: Self())).main()
  }
}

private struct Provider<Plugin: CompilerPlugin>: PluginProvider {
  struct UnknownMacro: Error {
    let name: String
  }

  let plugin: Plugin

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    let name = "\(moduleName).\(typeName)"
    guard let macro = plugin.providingMacros.first(where: { String(reflecting: $0) == name }) else {
      throw UnknownMacro(name: name)
    }
    return macro
  }
}
