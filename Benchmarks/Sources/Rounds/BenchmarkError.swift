/// Why a suite does not go on.
package struct BenchmarkError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
