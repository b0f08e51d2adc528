extension JSON {
  /// Decodes this value as the first of `types` that matches.
  ///
  ///     switch try json.decodeAsOneOf(Train.self, Truck.self) {
  ///     case let train as Train: …
  ///
  /// A type matches if its `decode(_:)` does not throw. List the stricter types first.
  ///
  /// - Throws: ``NoMatchingTypeError``, with the error of each type.
  public func decodeAsOneOf(_ types: any (JSONDecodable & SendableMetatype).Type...) throws -> any JSONDecodable {
    var attempts: [NoMatchingTypeError.Attempt] = []
    for type in types {
      do {
        return try type.decode(self)
      } catch {
        attempts.append(NoMatchingTypeError.Attempt(type: String(describing: type), error: error))
      }
    }
    throw NoMatchingTypeError(attempts, in: self)
  }

  /// Decodes this value with the first of `strategies` that does not throw.
  ///
  ///     enum Vehicle: JSONDecodable {
  ///       case train(Train), truck(Truck)
  ///
  ///       static func decode(_ json: JSON) throws -> Vehicle {
  ///         try json.decodeAsOneOf(.decoding(Train.self, as: Vehicle.train), .decoding(Truck.self, as: Vehicle.truck))
  ///       }
  ///     }
  ///
  /// - Throws: ``NoMatchingTypeError``, with the error of each strategy.
  public func decodeAsOneOf<Value>(_ strategies: DecodingStrategy<Value>...) throws -> Value {
    var attempts: [NoMatchingTypeError.Attempt] = []
    for strategy in strategies {
      do {
        return try strategy.decode(self)
      } catch {
        attempts.append(NoMatchingTypeError.Attempt(type: strategy.name, error: error))
      }
    }
    throw NoMatchingTypeError(attempts, in: self)
  }
}
