#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs the target that `ANVIL_FUZZ_TARGET` names on one input. libFuzzer calls this for each input.
///
/// Inputs whose time is measured are rejected with -1: the coverage counters of the long inputs derived from them would
/// look like new coverage, and fill the corpus with slow inputs.
///
/// Safety: the fuzzer's `count` bytes from `start` on live for the call; they are copied before anything else.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  chosen.run(bytes)
  return chosen.requireLinearTime(bytes) ? -1 : 0
}

private let chosen: FuzzTarget = {
  let name = unsafe getenv("ANVIL_FUZZ_TARGET").flatMap { unsafe String(validatingCString: $0) } ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    fatalError("ANVIL_FUZZ_TARGET must be one of \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
  }
  return target
}()
