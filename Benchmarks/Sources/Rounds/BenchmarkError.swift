/// An error that ends a suite.
package struct BenchmarkError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
