package import AnvilJSON

extension JSON.Decoder {
  /// Returns a value of type `type` from `json`, or every fault that prevents decoding it.
  ///
  /// The faults are those that `decode(_:from:)` throws, would throw after the first is fixed, and so on. An error
  /// that the model catches is not a fault. After an error, decoding continues with a placeholder. Errors that the
  /// placeholder may have caused are left out. Initialisers are called several times.
  ///
  /// - Parameter limit: the maximum number of faults, at least one.
  /// - Returns: `value` and no faults; or no value and at least one fault. Faults are in the order of the document, and a missing key is
  ///   placed at the beginning of its object. Steps lead from the root of the document. `isComplete` is `false` if there may be more
  ///   faults: the limit was reached, the search took too much work, or a value had to be left out before all of it was decoded.
  /// - Complexity: that of decoding, times at most 4 · *limit* + 16. The number of passes is lower for large documents.
  package func collectFaults<T: Decodable>(
    _ type: T.Type, in json: JSON, limit: Int = 100, search: JSON.Diagnosis.Search = .exhaustive
  ) -> (value: T?, faults: [Fault], isComplete: Bool) {
    do {
      // A value that decodes is returned without any search.
      return (try decode(type, from: json), [], true)
    } catch {
      var collection = FaultCollector(json, decoder: self, limit: limit)
      switch search {
      case .exhaustive: collection.collect(type)
      case .asDecoded: collection.collectFirst(type)
      }
      guard collection.faults.isEmpty else { return (nil, collection.faults, collection.isComplete) }
      // The model's code is not deterministic.
      var fault = Fault(.invalidValue, at: json.path.steps, expected: TypeName.of(type))
      fault.reason = (error as? DecodingError)?.context.debugDescription ?? "\(error)"
      return (nil, [fault], false)
    }
  }
}
