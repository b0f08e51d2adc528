/// Stores a struct in a table with a column for each of its properties.
///
///     @JSONCodable @StoredModel
///     struct User {
///       @MatchKey var id: Int
///       @Column("full_name") var name: String
///       var stars: Int
///       var team: Team?             // a stored model, too: kept in its own table, and referred to
///     }
///     try await store.save(users)
///     let popular = try await store.fetch(User.self, where: \.stars > 100, orderedBy: [.descending(\.stars)])
///
/// The struct becomes a ``StoredModel``: `Codable`, `Sendable` and ``ManagedDecodable``. Its rows are read and written without `Codable`,
/// which is used only for payloads. Conditions and orders name columns by key paths: a misspelt name does not compile.
///
/// A column has the name of the property's coding key, unless ``Column(_:)`` gives it another one. It contains the value of the property
/// itself, regardless of the coding strategy that is used for payloads. Numbers, text, Booleans, dates, `Data`, `UUID`, `URL`, `Decimal`
/// and values with such raw values have column types. Models with match keys are references, and other values are JSON. NULL is read as
/// `nil`, or as the default value of the property.
@attached(extension, conformances: StoredModel, names: named(init))
@attached(
  member, names: named(Columns), named(columns), named(_storedAttributes), named(_write), named(_read), named(init))
public macro StoredModel() = #externalMacro(module: "AnvilMacros", type: "StoredModelMacro")

/// Marks a property that identifies the model's row. Several marked properties form the key, in the order of their
/// declaration.
///
/// In payloads, the property is a direct member of the model's object.
@attached(peer)
public macro MatchKey() = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Sets the name of a property's column. The default is the coding key.
///
///     @Column("full_name") var name: String
@attached(peer)
public macro Column(_ name: StaticString) = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")
