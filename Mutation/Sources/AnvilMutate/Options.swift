import Foundation

/// The command-line options.
struct Options {
  var count = 100
  var seed: UInt64 = 1
  /// The targets to mutate; all without one.
  var modules: [String] = []
  /// The test targets to run; all without one.
  var tests: [String] = []
  /// The numbers of the mutants to run; the whole sample without one.
  var only: [Int] = []
  var jobs = 1
  var leastRate = 95.0
  var onlyLists = false

  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--list" {
        onlyLists = true
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch option {
      case "--count": guard let number = Int(value), number > 0 else { return nil }; count = number
      case "--seed": guard let number = UInt64(value) else { return nil }; seed = number
      case "--module": modules.append(value)
      case "--tests": tests.append(value)
      case "--only": only += value.split(separator: ",").compactMap { Int($0) }
      case "--jobs": guard let number = Int(value), number > 0 else { return nil }; jobs = number
      case "--least": guard let number = Double(value) else { return nil }; leastRate = number
      default: return nil
      }
    }
  }
}

/// A failure that ends the tool.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Writes a line of progress.
func report(_ line: String) {
  FileHandle.standardError.write(Data("mutate: \(line)\n".utf8))
}
