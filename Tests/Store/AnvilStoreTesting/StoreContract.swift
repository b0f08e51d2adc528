internal import AnvilBase
internal import AnvilJSON
package import AnvilStore
@_exported import AnvilTesting

/// The requirements that every backend of a store has to meet, as test cases.
///
///     @Test(arguments: StoreContract.cases) func holds(_ contractCase: StoreContract.Case) async throws {
///       try await contractCase.run(on: .inMemory)
///     }
///
/// A case creates its tables in an empty database. It throws a `ContractError` that describes the failed expectation.
package enum StoreContract {
  /// A single requirement and the test that checks it.
  package struct Case: Sendable, CustomStringConvertible {
    /// The requirement, in words.
    package let name: String
    /// The capabilities that the backend needs.
    package let needs: Set<Need>
    private let body: @Sendable (Store.Location) async throws -> Void

    init(_ name: String, needs: Set<Need> = [], _ body: @escaping @Sendable (Store.Location) async throws -> Void) {
      self.name = name
      self.needs = needs
      self.body = body
    }

    /// Runs the case in the empty database at `location`, and closes it.
    ///
    /// - Throws: `ContractError` if an expectation fails, or an unexpected error of the store.
    package func run(on location: Store.Location) async throws {
      try await body(location)
    }

    /// The name.
    package var description: String { name }
  }

  /// A capability that not every backend has.
  package enum Need: Hashable, Sendable {
    /// Several stores can use one database.
    case sharing
    /// Text can contain NUL characters.
    case nulInText
    /// Values and feeds can be observed.
    case observation
  }

  /// A failed expectation.
  package typealias Violation = ContractError

  /// All cases.
  package static let cases: [Case] =
    modelCases + valueCases + transactionCases + queryCases + changeCases + schemaCases + refusalCases + referenceCases
    + columnCases + versionCases + migrationCases + observationCases + sqlCases
    + conflictCases + listingCases + aliasCases + feedCases + referenceByIDCases + relationCases + relationIndexCases
    + defaultCases + changedColumnCases + dateCases + concurrencyCases
}

/// Returns the error that `body` throws, which must be a `StoreError`.
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
  throw StoreContract.Violation(description: "\(file):\(line): expected the error \(code), but no error was thrown")
}

extension Store {
  /// Decodes a list of models from JSON in a separate transaction.
  func decode<Model: ManagedDecodable & Codable & Sendable>(
    _ type: [Model].Type, _ json: String, missing: MissingRows = .kept
  ) async throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try await perform { context in
      try context.createOrUpdate(type, from: decoder(json), missing: missing)
    }
  }

  /// Decodes a model from JSON in a separate transaction.
  @discardableResult
  func decode<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, _ json: String
  ) async throws -> Model where Model.Context == StoreTransaction {
    try await perform { context in try Model.createOrUpdate(in: context, from: decoder(json)) }
  }
}

func decoder(_ json: String) -> any Decoder { JSON.Decoder().decoder(for: Data(json.utf8)) }
