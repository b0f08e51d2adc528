public import AnvilModel

/// Makes models out of inputs by finding or creating them where they are kept.
///
///     try await context.perform { context in
///       try body.decode(using: ManagedDecodingFactory<User>(context: context))
///     }
///
/// `factory.array` makes a list of them. Both are to be used where the context is: within `perform`.
public struct ManagedDecodingFactory<Model: ManagedDecodable>: DecodingFactory {
  /// Where the models are kept.
  public let context: Model.Context

  /// A factory of models that are kept in `context`.
  public init(context: Model.Context) {
    self.context = context
  }

  /// The model that `decoder` speaks of.
  ///
  /// - Throws: what ``ManagedDecodable/createOrUpdate(in:from:)`` does.
  public func create(from decoder: any Decoder) throws -> Model {
    try Model.createOrUpdate(in: context, from: decoder)
  }
}

extension ManagedDecodingFactory: Sendable {}
