extension JSON {
  /// What the first of `types` that fits makes of this value.
  ///
  ///     switch try json.decodeAsOneOf(Train.self, Truck.self) {
  ///     case let train as Train: …
  ///
  /// A type fits when its `decode(_:)` does not throw: the stricter come first.
  ///
  /// - Throws: ``NoMatchingTypeError``, which has every type's error.
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

  /// What the first of `strategies` that fits makes of this value.
  ///
  ///     enum Vehicle: JSONDecodable {
  ///       case train(Train), truck(Truck)
  ///
  ///       static func decode(_ json: JSON) throws -> Vehicle {
  ///         try json.decodeAsOneOf(.decoding(Train.self, as: Vehicle.train), .decoding(Truck.self, as: Vehicle.truck))
  ///       }
  ///     }
  ///
  /// - Throws: ``NoMatchingTypeError``, which has every strategy's error.
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
