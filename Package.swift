// swift-tools-version: 6.3

import CompilerPluginSupport
import Foundation
import PackageDescription

/// Every target is built the same way: Swift 6, each upcoming feature the compiler lists, strict memory safety.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .strictMemorySafety(),
  // Programs contain only the functions that they call: the linker removes the others, which need sections of their own and, where they are
  // public, no mark that keeps them.
  .unsafeFlags(
    ["-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link"],
    .when(platforms: [.linux], configuration: .release)),
]

/// The settings of modules in which a call spends little time: size counts more than speed.
let smallSettings = settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// The source of SwiftSyntax: on Linux the toolchain, elsewhere the package. On Linux, `ANVIL_SWIFT_SYNTAX` chooses the package, too, with
/// the path of a checkout or, as `package`, from its repository.
#if os(Linux)
let syntaxPackage = Context.environment["ANVIL_SWIFT_SYNTAX"]
#else
let syntaxPackage: String? = Context.environment["ANVIL_SWIFT_SYNTAX"] ?? "package"
#endif

/// The folder with SwiftSyntax as the toolchain brings it, `lib/swift/host`: there is no package to fetch or to compile.
///
/// The folder is that of `ANVIL_SWIFT_HOST`; without it, that of the compiler which `SWIFT_EXEC` or the search path names. This is where
/// `swiftc -print-target-info` has its resources, but a manifest may not start a program. If the search path names a link to something else,
/// such as a version manager, the toolchain is the one that this program has loaded the library PackageDescription from.
let hostLibraries: String = {
  guard syntaxPackage == nil else { return "" }
  func hasSyntax(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent("SwiftSyntax.swiftmodule").path)
  }
  let advice = """
    set ANVIL_SWIFT_HOST to the folder lib/swift/host of the toolchain, or set ANVIL_SWIFT_SYNTAX=package to build SwiftSyntax from its repository
    """
  if let folder = Context.environment["ANVIL_SWIFT_HOST"] {
    guard hasSyntax(URL(fileURLWithPath: folder)) else {
      fail("ANVIL_SWIFT_HOST is \(folder), which does not contain SwiftSyntax.swiftmodule: \(advice)")
    }
    return folder
  }
  let searchPath = (Context.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/swiftc" }
  let compilers = ([Context.environment["SWIFT_EXEC"]].compactMap(\.self) + searchPath).map { path in
    // …/bin/swiftc
    URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("lib/swift/host")
  }
  // Read to the end: the file says that its size is zero, and other functions stop after a page.
  let maps = FileHandle(forReadingAtPath: "/proc/self/maps")?.readDataToEndOfFile() ?? Data()
  let libraries = String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line -> URL? in
    guard line.hasSuffix("/libPackageDescription.so"), let start = line.firstIndex(of: "/") else { return nil }
    // …/lib/swift/pm/ManifestAPI/libPackageDescription.so
    return URL(fileURLWithPath: String(line[start...])).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("host")
  }
  guard let folder = (compilers + libraries).first(where: hasSyntax) else {
    fail("the SwiftSyntax of the toolchain, with which the macros are built, was not found: \(advice)")
  }
  return folder.path
}()

/// Ends the manifest with an error that SwiftPM shows.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(1)
}

let syntaxPackages: [Package.Dependency] =
  switch syntaxPackage {
  case nil: []
  // The versions of Swift 6.2 to 6.4. Each minor version of the language is a major version of the package.
  case "package": [.package(url: "https://github.com/swiftlang/swift-syntax.git", "602.0.0"..<"605.0.0")]
  case let path?: [.package(name: "swift-syntax", path: path)]
  }

/// Returns the products of swift-syntax that a target imports. From the toolchain, they need no dependency.
func syntaxProducts(_ names: String...) -> [Target.Dependency] {
  syntaxPackage == nil ? [] : names.map { .product(name: $0, package: "swift-syntax") }
}

let hostModules: [SwiftSetting] = syntaxPackage == nil ? [.unsafeFlags(["-I", hostLibraries])] : []
let hostLinking: [LinkerSetting] =
  syntaxPackage == nil
  ? [.unsafeFlags(["-L", hostLibraries, "-Xlinker", "-rpath", "-Xlinker", hostLibraries])] : []
// Not optimised: 3 seconds of a processor instead of 19, in the release build of everyone who uses the macros.
let unoptimized: [SwiftSetting] = syntaxPackage == nil ? [.unsafeFlags(["-Onone"])] : []
let macroExpansion = Target.target(
  name: "AnvilMacroExpansion",
  dependencies: syntaxProducts(
    "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros"),
  swiftSettings: hostModules + unoptimized)
let macros = Target.macro(
  name: "AnvilMacros",
  dependencies: ["AnvilMacroExpansion"]
    + syntaxProducts("SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxMacros"),
  // The package has a protocol of its own.
  exclude: syntaxPackage == nil ? [] : ["CompilerPlugin.swift"],
  swiftSettings: hostModules + unoptimized, linkerSettings: hostLinking)
let macroTests = Target.testTarget(
  name: "AnvilMacrosTests",
  dependencies: ["AnvilMacroExpansion", "AnvilTestSupport"]
    + syntaxProducts(
      "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacroExpansion",
      "SwiftSyntaxMacros"),
  exclude: ["Expansions"], swiftSettings: settings + hostModules, linkerSettings: hostLinking)

/// The floors of the house. Each has a folder in `Sources` with its modules and one in `Tests` with what tests them, and knows only the floors
/// before it.
let floors: [(name: String, modules: [String], tests: [String])] = [
  ("Base", ["AnvilBase"], ["AnvilBaseTests"]),
  (
    "JSON", ["AnvilJSON", "AnvilMacroExpansion", "AnvilMacros", "AnvilCodable", "AnvilDiagnosis"],
    [
      "AnvilJSONTests", "AnvilMacrosTests", "AnvilCodableTests", "MainActorModelTests", "AnvilDiagnosisTests",
      "AnvilJSONLinkageProbe",
    ]
  ),
  ("HTTP", ["AnvilHTTP", "AnvilBodies"], ["AnvilHTTPTests", "AnvilBodiesTests"]),
  (
    "Client", ["AnvilClient", "AnvilURLSession", "AnvilCurl", "Anvil", "AnvilObservability"],
    ["AnvilClientTests", "AnvilURLSessionTests", "AnvilCurlTests", "AnvilTests", "AnvilLinkageProbe", "AnvilSoak"]
  ),
  (
    "Store", ["AnvilStore", "AnvilSQLite", "AnvilPostgres", "AnvilSync", "AnvilSQLiteCache"],
    [
      "AnvilStoreTesting", "AnvilStoreTests", "AnvilSQLiteTests", "AnvilPostgresTests", "AnvilSQLiteCacheTests",
      "AnvilSyncTests", "AnvilStoreTestSupport", "AnvilStoreWorker", "AnvilStoreLinkageProbe", "AnvilSyncProbe",
    ]
  ),
  // What package traits add.
  ("Ecosystem", ["AnvilEcosystem", "AnvilSyncEcosystem"], ["AnvilEcosystemTests"]),
  ("Testing", ["AnvilServer", "AnvilTesting"], ["AnvilServerTests", "AnvilTestingTests"]),
  (
    "Tool", ["AnvilSchema", "AnvilCommands", "AnvilTool"], ["AnvilSchemaTests", "AnvilCommandsTests"]
  ),
]

// Packages that Swift programs already use. SwiftPM resolves each only if a trait is enabled that needs it: without traits, the package has no
// dependency on them.
let ecosystem: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-log.git", from: "1.11.0"),
  .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
  .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.2.0"),
  .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
  .package(url: "https://github.com/apple/swift-openapi-runtime.git", from: "1.7.0"),
  .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
  .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.26.0"),
  .package(url: "https://github.com/apple/swift-nio.git", from: "2.82.0"),
]

/// Returns a product that is a dependency only if one of `traits` is enabled.
func product(_ name: String, _ package: String, _ traits: String...) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: Set(traits)))
}

let package = Package(
  name: "Anvil",
  // Not watchOS, where `Int` has 32 bits on most watches.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "Anvil", targets: ["Anvil"]),
    .library(name: "AnvilJSON", targets: ["AnvilJSON"]),
    .library(name: "AnvilCodable", targets: ["AnvilCodable"]),
    .library(name: "AnvilDiagnosis", targets: ["AnvilDiagnosis"]),
    .library(name: "AnvilCurl", targets: ["AnvilCurl"]),
    .library(name: "AnvilURLSession", targets: ["AnvilURLSession"]),
    .library(name: "AnvilObservability", targets: ["AnvilObservability"]),
    .library(name: "AnvilStore", targets: ["AnvilStore"]),
    .library(name: "AnvilSQLite", targets: ["AnvilSQLite"]),
    .library(name: "AnvilPostgres", targets: ["AnvilPostgres"]),
    .library(name: "AnvilSync", targets: ["AnvilSync"]),
    .library(name: "AnvilSQLiteCache", targets: ["AnvilSQLiteCache"]),
    .library(name: "AnvilTesting", targets: ["AnvilTesting"]),
    .library(name: "AnvilEcosystem", targets: ["AnvilEcosystem"]),
    .library(name: "AnvilSyncEcosystem", targets: ["AnvilSyncEcosystem"]),
    .executable(name: "anvil", targets: ["AnvilTool"]),
  ],
  traits: [
    .trait(name: "SwiftLog", description: "Logs of calls, pulls and changes for swift-log."),
    .trait(name: "SwiftMetrics", description: "Metrics of calls, caches and pulls for swift-metrics."),
    .trait(name: "SwiftTracing", description: "Spans of calls and attempts for swift-distributed-tracing."),
    .trait(name: "HTTPTypes", description: "Messages to and from swift-http-types."),
    .trait(
      name: "OpenAPIRuntime", description: "A transport for clients of swift-openapi-generator.",
      enabledTraits: ["HTTPTypes"]),
    .trait(
      name: "ServiceLifecycle", description: "Pulls and the end of clients as services of swift-service-lifecycle."),
    .trait(name: "AsyncHTTPClient", description: "A session over a client of async-http-client."),
    .default(enabledTraits: []),
  ],
  dependencies: syntaxPackages + ecosystem,
  targets: [
    // Arrows only downwards: a target may depend on those above it in this list, never on those below.
    // Text, URIs and days; clocks, queues, hashes and threads that own what blocks; the protocols of formats and models.
    .target(name: "AnvilBase", swiftSettings: settings),
    .target(name: "CAnvilVectors"),
    // Lifetimes: to make readers, writers and builders, which cannot escape; those who import the module need no flag.
    .target(
      name: "AnvilJSON", dependencies: ["AnvilBase", "CAnvilVectors"],
      swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]),
    // What writes the coding of models. It is no part of the program that the compiler runs: if tests depended on that, all targets
    // would be built once more as tools.
    macroExpansion,
    // The program that the compiler runs.
    macros,
    // Models in one word: the macros, and what the code that they write calls.
    .target(name: "AnvilCodable", dependencies: ["AnvilMacros", "AnvilJSON", "AnvilBase"], swiftSettings: settings),
    // What is wrong with a text: located problems, all problems at once, and lenient types that report what they did.
    .target(name: "AnvilDiagnosis", dependencies: ["AnvilJSON", "AnvilBase"], swiftSettings: smallSettings),
    // What samples and schemas say of documents, for the command line.
    .target(name: "AnvilSchema", dependencies: ["AnvilDiagnosis", "AnvilJSON", "AnvilBase"], swiftSettings: settings),
    // Messages and their fields; of bodies the bytes. It is compiled beside the engine, not after it.
    .target(name: "AnvilHTTP", dependencies: ["AnvilBase"], swiftSettings: settings),
    // The system's zlib, for content codings.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // What bodies contain: reading, writing, compressing and redacting it.
    .target(
      name: "AnvilBodies",
      dependencies: ["AnvilHTTP", "AnvilJSON", "AnvilBase", "CZlib"],
      swiftSettings: smallSettings),
    .target(
      name: "AnvilClient",
      dependencies: ["AnvilBodies", "AnvilHTTP", "AnvilBase", "AnvilDiagnosis", "AnvilJSON"],
      swiftSettings: settings),
    .target(
      name: "AnvilURLSession", dependencies: ["AnvilClient", "AnvilHTTP", "AnvilBase"],
      swiftSettings: settings),
    // The system's libcurl: libcurl4-openssl-dev on Debian, the SDK's on macOS.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(
      name: "AnvilCurl", dependencies: ["AnvilClient", "AnvilBodies", "AnvilHTTP", "AnvilBase", "CCurl"],
      swiftSettings: smallSettings),
    .target(
      name: "AnvilStore",
      dependencies: ["AnvilCodable", "AnvilJSON", "AnvilBase", "AnvilMacros"],
      swiftSettings: settings),
    // The system's SQLite: libsqlite3-dev on Debian, the SDK's on Apple.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "AnvilSQLite", dependencies: ["AnvilStore", "AnvilBase", "CSQLite"],
      swiftSettings: settings),
    // PostgreSQL's client library: libpq-dev on Debian, Homebrew's libpq. Homebrew keeps it out of the folders that are searched, and the
    // package manager finds it by its file for pkg-config, which names OpenSSL's.
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq", "openssl@3"])]),
    .target(
      name: "AnvilPostgres", dependencies: ["AnvilStore", "AnvilBase", "CPostgres"],
      swiftSettings: settings),
    // What joins client and store: responses that become stored models.
    .target(
      name: "AnvilSync",
      dependencies: ["AnvilClient", "AnvilBodies", "AnvilHTTP", "AnvilStore", "AnvilBase", "AnvilJSON"],
      swiftSettings: settings),
    // Responses kept in a file.
    .target(
      name: "AnvilSQLiteCache",
      dependencies: ["AnvilClient", "AnvilSQLite", "AnvilStore", "AnvilBase"],
      swiftSettings: settings),
    .target(
      name: "Anvil",
      dependencies: [
        "AnvilJSON", "AnvilCodable", "AnvilDiagnosis", "AnvilBase", "AnvilHTTP", "AnvilBodies", "AnvilClient",
        // The default session: URLSession where it belongs to the system, libcurl elsewhere. Each is a product of its own, too.
        .target(name: "AnvilCurl", condition: .when(platforms: [.linux])),
        .target(
          name: "AnvilURLSession", condition: .when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .visionOS])),
      ],
      swiftSettings: settings),
    // Exchanges for other programs: OpenTelemetry, trace context, HTTP archives. The umbrella knows which session sends the spans.
    .target(
      name: "AnvilObservability",
      dependencies: ["Anvil", "AnvilClient", "AnvilBodies", "AnvilHTTP", "AnvilDiagnosis", "AnvilJSON", "AnvilBase"],
      swiftSettings: settings),
    // The client and the packages of the traits. Without its trait, a file for a package is empty.
    .target(
      name: "AnvilEcosystem",
      dependencies: [
        "AnvilObservability", "AnvilClient", "AnvilHTTP", "AnvilBase",
        product("Logging", "swift-log", "SwiftLog"),
        product("CoreMetrics", "swift-metrics", "SwiftMetrics"),
        product("Tracing", "swift-distributed-tracing", "SwiftTracing"),
        product("HTTPTypes", "swift-http-types", "HTTPTypes"),
        product("OpenAPIRuntime", "swift-openapi-runtime", "OpenAPIRuntime"),
        product("ServiceLifecycle", "swift-service-lifecycle", "ServiceLifecycle"),
        product("AsyncHTTPClient", "async-http-client", "AsyncHTTPClient"),
        product("NIOCore", "swift-nio", "AsyncHTTPClient"), product("NIOHTTP1", "swift-nio", "AsyncHTTPClient"),
        product("NIOPosix", "swift-nio", "AsyncHTTPClient"),
      ],
      swiftSettings: settings),
    // The same for pulls and the store, which programs with only a client do not compile.
    .target(
      name: "AnvilSyncEcosystem",
      dependencies: [
        "AnvilEcosystem", "AnvilObservability", "AnvilSync", "AnvilStore", "AnvilClient", "AnvilBase",
        product("Logging", "swift-log", "SwiftLog"),
        product("CoreMetrics", "swift-metrics", "SwiftMetrics"),
        product("ServiceLifecycle", "swift-service-lifecycle", "ServiceLifecycle"),
      ],
      swiftSettings: settings),
    // A server on loopback, for tests and the command line.
    .target(name: "AnvilServer", dependencies: ["AnvilHTTP", "AnvilBase"], swiftSettings: settings),
    // The system's OpenSSL, on Linux.
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "AnvilTesting",
      dependencies: ["AnvilBase", "AnvilServer", "AnvilClient", "AnvilBodies", "AnvilHTTP", "AnvilJSON"],
      swiftSettings: settings),
    .target(
      name: "AnvilCommands",
      dependencies: [
        "Anvil", "AnvilObservability", "AnvilBodies", "AnvilClient", "AnvilHTTP", "AnvilJSON", "AnvilBase",
        "AnvilDiagnosis", "AnvilSchema", "AnvilSync", "AnvilSQLite", "AnvilPostgres", "AnvilSQLiteCache", "AnvilServer",
        "AnvilStore", "AnvilURLSession",
        // TLS for the loopback server.
        .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
      ],
      resources: [
        .embedInCode("HAR/Inspector"), .embedInCode("Completions.bash"), .embedInCode("PullFile.schema.json"),
      ],
      swiftSettings: settings),
    // Not called "anvil": on a disk that does not tell cases apart its folders would be those of "Anvil".
    .executableTarget(name: "AnvilTool", dependencies: ["AnvilCommands"], swiftSettings: settings),

    // The programs in Examples, which ExampleTests runs. Examples/Package.swift is for a package that depends on this one.
    .executableTarget(
      name: "quickstart", dependencies: ["Anvil", "AnvilTesting"], path: "Examples/Sources/quickstart"),
    .executableTarget(name: "chat", dependencies: ["Anvil", "AnvilTesting"], path: "Examples/Sources/chat"),
    .executableTarget(name: "github", dependencies: ["Anvil", "AnvilTesting"], path: "Examples/Sources/github"),
    .executableTarget(
      name: "demo", dependencies: ["Anvil", "AnvilSQLite", "AnvilSync", "AnvilTesting"], path: "Examples/Sources/demo"),

    // Limits how many tests run at a time, in each program that links it.
    .target(name: "CAnvilTestLimits", path: "Tests/CAnvilTestLimits"),
    // What tests of several targets share.
    .target(
      name: "AnvilTestSupport", dependencies: ["AnvilBase", "CAnvilTestLimits"], path: "Tests/AnvilTestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "AnvilJSONTests", dependencies: ["AnvilBase", "AnvilDiagnosis", "AnvilJSON", "AnvilTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilCodableTests",
      dependencies: ["AnvilCodable", "AnvilDiagnosis", "AnvilBase", "AnvilJSON", "AnvilTestSupport"],
      swiftSettings: settings),
    // Models in a module whose declarations belong to the main actor by default.
    .testTarget(
      name: "MainActorModelTests",
      dependencies: ["AnvilCodable", "AnvilBase", "AnvilJSON", "AnvilStore", "AnvilSQLite"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    // What the macros write and report, without the compiler.
    macroTests,
    .testTarget(
      name: "AnvilDiagnosisTests", dependencies: ["AnvilDiagnosis", "AnvilJSON", "AnvilTestSupport"],
      exclude: ["Renderings"], swiftSettings: settings),
    // Links nothing but AnvilJSON: LinkageTests asks what that loads.
    .executableTarget(
      name: "AnvilJSONLinkageProbe", dependencies: ["AnvilJSON"],
      swiftSettings: settings),
    // Links nothing but the store: StoreLinkageTests asks what that contains.
    .executableTarget(
      name: "AnvilStoreLinkageProbe", dependencies: ["AnvilSQLite", "AnvilBase", "AnvilJSON"], swiftSettings: settings),
    // Stores responses: scripts/walk counts the functions that one of them enters.
    .executableTarget(
      name: "AnvilSyncProbe", dependencies: ["Anvil", "AnvilSQLite", "AnvilSync"], swiftSettings: settings),
    // Links nothing but the client: ClientLinkageTests asks what that contains.
    .executableTarget(
      name: "AnvilLinkageProbe", dependencies: ["Anvil"], swiftSettings: settings),
    // Which targets may know of which.
    .testTarget(name: "AnvilGraphTests", dependencies: ["AnvilJSON", "AnvilTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "AnvilSchemaTests",
      // The models that the tests compile use the macros.
      dependencies: ["AnvilSchema", "AnvilCodable", "AnvilDiagnosis", "AnvilJSON", "AnvilTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilBaseTests", dependencies: ["AnvilBodies", "AnvilBase", "AnvilJSON"], swiftSettings: settings),
    .testTarget(
      name: "AnvilHTTPTests", dependencies: ["AnvilHTTP", "AnvilJSON", "AnvilBase", "AnvilTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilBodiesTests",
      dependencies: ["AnvilBodies", "AnvilHTTP", "AnvilJSON", "AnvilBase", "AnvilTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilClientTests",
      dependencies: [
        "AnvilClient", "AnvilObservability", "AnvilBodies", "AnvilHTTP", "AnvilJSON", "AnvilBase", "AnvilDiagnosis",
        "AnvilTesting", "AnvilTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilURLSessionTests",
      dependencies: ["AnvilURLSession", "AnvilClient", "AnvilBodies", "AnvilHTTP", "AnvilTesting", "AnvilTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilCurlTests",
      dependencies: [
        "AnvilCurl", "AnvilBodies", "AnvilClient", "AnvilHTTP", "AnvilBase", "AnvilTesting", "AnvilTestSupport",
      ],
      swiftSettings: settings),
    .target(
      name: "AnvilStoreTestSupport", dependencies: ["AnvilStore", "AnvilBase"],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilStoreTests", dependencies: ["AnvilBase", "AnvilStore", "AnvilSync", "AnvilTestSupport"],
      swiftSettings: settings),
    // What each database of the store must do.
    .target(
      name: "AnvilStoreTesting",
      dependencies: ["AnvilTesting", "AnvilStore", "AnvilCodable", "AnvilJSON", "AnvilBase"],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilSQLiteTests",
      dependencies: [
        "AnvilJSON",
        "AnvilSQLite", "AnvilStore", "AnvilStoreTesting", "AnvilStoreTestSupport", "AnvilTestSupport", "AnvilBase",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilSQLiteCacheTests",
      dependencies: [
        "AnvilSQLiteCache", "AnvilSQLite", "AnvilStore", "AnvilClient", "AnvilHTTP", "AnvilTesting", "AnvilTestSupport",
      ],
      swiftSettings: settings),
    // A process that tests kill, and others that write beside it.
    .executableTarget(
      name: "AnvilStoreWorker",
      dependencies: ["AnvilSQLite", "AnvilPostgres", "AnvilStore", "AnvilJSON", "AnvilBase", "AnvilStoreTestSupport"],
      swiftSettings: settings),
    // The whole client against a server that misbehaves, for hours: scripts/soak runs it.
    .executableTarget(
      name: "AnvilSoak",
      dependencies: [
        "Anvil", "AnvilObservability", "AnvilCurl", "AnvilBase", "AnvilSync", "AnvilSQLite", "AnvilSQLiteCache",
        "AnvilStore", "AnvilTesting", "AnvilTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilPostgresTests",
      dependencies: [
        "AnvilPostgres", "AnvilStore", "AnvilStoreTesting", "AnvilStoreTestSupport", "AnvilTestSupport", "AnvilBase",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnvilTests",
      dependencies: [
        "Anvil", "AnvilObservability", "AnvilSync", "AnvilSQLite", "AnvilTesting", "AnvilTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilSyncTests",
      dependencies: [
        "Anvil", "AnvilSync", "AnvilSQLite", "AnvilPostgres", "AnvilStoreTesting", "AnvilTesting", "AnvilTestSupport",
      ],
      swiftSettings: settings),
    // The samples of README and the guides. Without access to the package: a sample that uses a `package` declaration would compile here, but
    // not in the program of a user.
    .testTarget(
      name: "SampleTests",
      dependencies: [
        "Anvil", "AnvilObservability", "AnvilURLSession", "AnvilSync", "AnvilPostgres", "AnvilSQLite",
        "AnvilSQLiteCache", "AnvilStore", "AnvilTesting", "AnvilTestSupport",
      ],
      packageAccess: false, swiftSettings: settings),
    // What README and the guides show, compared with the samples and with the sources.
    .testTarget(
      name: "GuideTests", dependencies: ["AnvilClient", "AnvilJSON", "AnvilSchema", "AnvilTestSupport"],
      swiftSettings: settings),
    .testTarget(name: "ExampleTests", dependencies: ["AnvilTestSupport"], swiftSettings: settings),
    // Without traits there are no tests: scripts/traits runs them.
    .testTarget(
      name: "AnvilEcosystemTests",
      dependencies: [
        "AnvilEcosystem", "AnvilSyncEcosystem", "Anvil", "AnvilObservability", "AnvilSync", "AnvilSQLite", "AnvilStore",
        "AnvilTesting", "AnvilTestSupport",
        product("Logging", "swift-log", "SwiftLog"),
        product("CoreMetrics", "swift-metrics", "SwiftMetrics"),
        product("Tracing", "swift-distributed-tracing", "SwiftTracing"),
        product("HTTPTypes", "swift-http-types", "HTTPTypes"),
        product("OpenAPIRuntime", "swift-openapi-runtime", "OpenAPIRuntime"),
        product("ServiceLifecycle", "swift-service-lifecycle", "ServiceLifecycle"),
        product("AsyncHTTPClient", "async-http-client", "AsyncHTTPClient"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilServerTests", dependencies: ["AnvilServer", "AnvilHTTP", "AnvilBase", "AnvilTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilTestingTests", dependencies: ["AnvilTesting", "AnvilHTTP", "AnvilTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AnvilCommandsTests",
      dependencies: [
        "AnvilCommands", "Anvil", "AnvilCurl", "AnvilJSON", "AnvilObservability", "AnvilSQLite", "AnvilServer",
        "AnvilTesting", "AnvilTestSupport", "AnvilHTTP",
      ],
      exclude: ["JSONPath"], swiftSettings: settings),
  ]
)

for floor in floors {
  for target in package.targets {
    if floor.modules.contains(target.name) { target.path = "Sources/\(floor.name)/\(target.name)" }
    if floor.tests.contains(target.name) { target.path = "Tests/\(floor.name)/\(target.name)" }
  }
}

// Parsers that no product of users contains are fuzzed, too: scripts/fuzz sets the variable.
if Context.environment["ANVIL_FUZZING"] != nil {
  // The fuzzer's `main` would be linked into the program that expands macros. The script has it built before, and names it to the compiler.
  package.targets.removeAll { $0.type == .macro }
  for target in package.targets {
    target.dependencies.removeAll { dependency in
      if case .byNameItem(name: "AnvilMacros", condition: _) = dependency { true } else { false }
    }
  }
  package.products.append(
    .library(
      name: "AnvilParsers",
      targets: [
        "AnvilBase", "AnvilJSON", "AnvilCodable", "AnvilDiagnosis", "AnvilHTTP", "AnvilBodies", "AnvilClient",
        "AnvilObservability", "AnvilCurl", "AnvilStore", "AnvilPostgres", "AnvilSchema", "AnvilServer", "AnvilTesting",
        "AnvilCommands",
      ]))
}

// Only some targets and those that they need: scripts/check builds the tests of what has changed, and nothing else.
if let names = Context.environment["ANVIL_TARGETS"] {
  /// Programs that tests start. They are no dependencies, because the tests would contain them.
  let programs = [
    "AnvilJSONTests": ["AnvilJSONLinkageProbe"], "AnvilGraphTests": ["AnvilLinkageProbe", "AnvilStoreLinkageProbe"],
    "AnvilStoreTestSupport": ["AnvilStoreWorker"], "AnvilSyncTests": ["AnvilTool"], "AnvilCommandsTests": ["AnvilTool"],
    "ExampleTests": ["chat", "demo", "github", "quickstart"],
  ]
  var kept: Set<String> = []
  var added = names.split(separator: " ").map(String.init)
  while let name = added.popLast() {
    guard let target = package.targets.first(where: { $0.name == name }) else { fail("there is no target \(name)") }
    guard kept.insert(name).inserted else { continue }
    added += programs[name] ?? []
    for dependency in target.dependencies {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): added.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { product in
    switch product {
    case let library as Product.Library: !kept.isSuperset(of: library.targets)
    case let program as Product.Executable: !kept.isSuperset(of: program.targets)
    default: false
    }
  }
}

// SwiftPM skips a package only if a target needs it for a trait that is off. Without these targets it would fetch all.
if !package.targets.contains(where: { $0.name == "AnvilEcosystem" }) { package.dependencies = syntaxPackages }

// scripts/traits: some tests need what only the stubs of the packages have.
if Context.environment["ANVIL_ECOSYSTEM"] == "stubs" {
  for target in package.targets where target.name == "AnvilEcosystemTests" {
    target.swiftSettings = settings + [.define("ECOSYSTEM_STUBS")]
  }
}
