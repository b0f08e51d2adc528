#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What libFuzzer calls for each input: the target that `ANVIL_FUZZ_TARGET` names, for the life of the process.
///
/// Safety: the fuzzer's `count` bytes from `start` on live for the call; they are copied before anything else.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe chosen.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

private let chosen: FuzzTarget = {
  let name = unsafe getenv("ANVIL_FUZZ_TARGET").flatMap { unsafe String(validatingCString: $0) } ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    fatalError("ANVIL_FUZZ_TARGET must be one of \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
  }
  return target
}()
