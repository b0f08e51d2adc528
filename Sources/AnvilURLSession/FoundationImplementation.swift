/// An implementation of Foundation, whose `URLSession` differs from the other in what its documentation leaves open.
///
/// Code that depends on the implementation takes it as an argument, so that the tests on Linux check the rules of both.
enum FoundationImplementation: CaseIterable, Sendable {
  /// Apple's. It speaks HTTP/2 and HTTP/3, requests and decodes content codings, and pauses suspended tasks.
  case apple
  /// swift-corelibs-foundation, on Linux. It uses libcurl, and passes most of its results on as English texts.
  case corelibs

  static var current: FoundationImplementation {
    #if canImport(FoundationNetworking)
    .corelibs
    #else
    .apple
    #endif
  }
}
