extension JSON.Decoder {
  /// A value of type `type` from `json`, or everything that keeps it from becoming one.
  ///
  /// Reported is what ``decode(_:from:)-(_,JSON)`` throws, would throw once that is mended, and so on: an error that
  /// the model catches is none. Behind an error decoding goes on with a placeholder in its place; what may only be
  /// wrong because of that is left out. Initialisers are called several times.
  ///
  /// - Parameter limit: the most faults, at least one.
  /// - Returns: `value`, and no faults; or no value and at least one fault, in the order of the document, a missing key
  ///   where its object begins. Steps lead from the root of the document. `isComplete` is `false` where there may be
  ///   more: the limit was reached, there was too much work, or a value had to be left out before all of it was
  ///   decoded.
  /// - Complexity: that of decoding, times at most 4 · *limit* + 16, and less in documents of more than a million
  ///   values.
  package func collectFaults<T: Decodable>(
    _ type: T.Type, in json: JSON, limit: Int = 100, search: JSON.Diagnosis.Search = .exhaustive
  ) -> (value: T?, faults: [Fault], isComplete: Bool) {
    do {
      // What comes of it is what it always is.
      return (try decode(type, from: json), [], true)
    } catch {
      var collection = FaultCollection(json, options: sharedOptions, limit: limit)
      switch search {
      case .exhaustive: collection.collect(type)
      case .asDecoded: collection.collectFirst(type)
      }
      guard collection.faults.isEmpty else { return (nil, collection.faults, collection.isComplete) }
      // Code that decides anew each time.
      var fault = Fault(.invalidValue, at: json.stepsFromRoot, expected: TypeName.of(type))
      fault.reason = (error as? DecodingError)?.context.debugDescription ?? "\(error)"
      return (nil, [fault], false)
    }
  }
}
