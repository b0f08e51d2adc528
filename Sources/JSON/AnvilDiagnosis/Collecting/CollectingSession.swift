internal import AnvilJSON

/// A single pass over a document that looks for faults. It decodes as usual, except that values known to be wrong or missing are replaced
/// by placeholders.
///
/// Errors are thrown as `JSON.Decoder` throws them, and the model's code may catch them. Arrays and dictionaries continue after an element
/// that fails, and throw the errors of all elements at the end.
final class CollectingSession {
  /// A value that is being decoded.
  struct Frame {
    let index: Int
    /// The ``CollectingSession/influence`` at the start of the value.
    let influence: Int
  }

  /// The faults of an error that cannot carry them. A caught error is this one if it has the same text and no operation of a container has
  /// followed.
  struct InFlight {
    let faults: [RaisedFault]
    let text: String
    let operations: Int
  }

  /// Reads scalars, finds members and makes errors.
  let base: ValueReader
  /// The positions of the wrong or missing values that are replaced by placeholders.
  let substituted: Set<RaisedFault.Slot>
  let variant: Placeholders.Variant
  /// The maximum number of faults in one container. If there are more, its remaining elements or members are not decoded.
  let faultLimit: Int
  let memory: CollectingMemory
  /// The number of placeholders, and of values left out, that may have influenced the code that runs now. While an element of an array is
  /// decoded, those in the elements before it are not counted, because they do not affect it.
  var influence = 0
  var frames: [Frame] = []
  /// True if a value was left out before all of it was decoded, so that it may contain further faults.
  var hasSkipped = false
  /// The number of calls to containers so far. If it has not changed since an error was thrown, the error is still being propagated.
  var operations = 0
  /// The last error of the model's own code, with its faults.
  var inFlight: InFlight?

  init(
    base: ValueReader, memory: CollectingMemory, substituted: Set<RaisedFault.Slot>, variant: Placeholders.Variant,
    faultLimit: Int
  ) {
    self.base = base
    self.memory = memory
    self.substituted = substituted
    self.variant = variant
    self.faultLimit = faultLimit
  }

  func isSubstituted(_ slot: RaisedFault.Slot) -> Bool { !substituted.isEmpty && substituted.contains(slot) }

  /// Returns a placeholder for the wrong or missing value at `slot`.
  ///
  /// - Throws: an error if no placeholder can be made.
  @_semantics("optimize.sil.specialize.generic.never")
  func placeholder<T: Decodable>(_ type: T.Type, at slot: RaisedFault.Slot) throws -> T {
    influence += 1
    guard let value = placeholders(at: slot).make(type) else { throw unsubstitutable(at: slot) }
    return value
  }

  func placeholders(at slot: RaisedFault.Slot) -> Placeholders {
    Placeholders(variant, userInfo: base.options.userInfo, codingPath: base.codingPath(to: slot.index), memory: memory)
  }
}

/// The data that passes over the same document share.
final class CollectingMemory {
  /// The method by which each type is decoded.
  var methods: [ObjectIdentifier: DecodingMethod] = [:]
  /// A valid value of each type that was decoded successfully.
  var samples: [ObjectIdentifier: Any] = [:]
}
