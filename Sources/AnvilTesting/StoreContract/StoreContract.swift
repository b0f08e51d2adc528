internal import AnvilJSON
internal import AnvilModel
package import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What every backend of a store has to do, as cases that are run on each.
///
///     @Test(arguments: StoreContract.cases) func holds(_ contractCase: StoreContract.Case) async throws {
///       try await contractCase.run(on: .inMemory)
///     }
///
/// A case makes its own tables in a database that has none, and throws a ``ContractViolation`` that says which expectation did not hold.
package enum StoreContract {
  /// One thing that has to hold.
  package struct Case: Sendable, CustomStringConvertible {
    /// What holds, in words.
    package let name: String
    /// What the backend needs for it.
    package let needs: Set<Need>
    private let body: @Sendable (Store.Location) async throws -> Void

    init(_ name: String, needs: Set<Need> = [], _ body: @escaping @Sendable (Store.Location) async throws -> Void) {
      self.name = name
      self.needs = needs
      self.body = body
    }

    /// Runs the case in the empty database at `location`, which it closes.
    ///
    /// - Throws: ``ContractViolation``, and whatever the store threw that it should not have.
    package func run(on location: Store.Location) async throws {
      try await body(location)
    }

    /// The name.
    package var description: String { name }
  }

  /// What not every backend can do.
  package enum Need: Hashable, Sendable {
    /// Several stores on one database.
    case sharing
    /// Text with NUL characters.
    case nulInText
  }

  /// An expectation that did not hold.
  package typealias Violation = ContractViolation

  /// All cases.
  package static let cases: [Case] =
    modelCases + valueCases + transactionCases + queryCases + changeCases + schemaCases + refusalCases + referenceCases
    + concurrencyCases
}

/// The error that `body` throws, which has to be a `StoreError`.
@discardableResult
func expectError(
  _ code: StoreError.Code, naming names: String..., line: UInt = #line, file: String = #fileID,
  _ body: () async throws -> Void
) async throws -> StoreError {
  do {
    try await body()
  } catch let error as StoreError {
    try expect(error.code == code, "\(error) is not \(code)", line: line, file: file)
    for name in names {
      try expect("\(error)".contains(name), "\(error) does not name \(name)", line: line, file: file)
    }
    return error
  }
  throw StoreContract.Violation(description: "\(file):\(line): nothing was thrown, instead of \(code)")
}

extension StoreContext {
  /// A list of the model out of JSON, in a transaction of its own.
  func decode<Model: ManagedDecodable & Codable & Sendable>(
    _ type: [Model].Type, _ json: String, missing: MissingRows = .kept
  ) async throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try await perform { context in
      try context.createOrUpdate(type, from: decoder(json), missing: missing)
    }
  }

  /// A model out of JSON, in a transaction of its own.
  @discardableResult
  func decode<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, _ json: String
  ) async throws -> Model where Model.Context == StoreTransaction {
    try await perform { context in try Model.createOrUpdate(in: context, from: decoder(json)) }
  }
}

/// A decoder of JSON.
func decoder(_ json: String) -> any Decoder { JSON.Decoder().decoder(for: Data(json.utf8)) }
