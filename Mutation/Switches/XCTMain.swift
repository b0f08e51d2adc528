import Testing

// The package manager would look for tests of XCTest otherwise, for which it needs an index of all sources.
@main
enum Tests {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
