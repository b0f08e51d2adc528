/// One pass over a document that looks for problems: an ordinary decoding, but that placeholders are given out at
/// places known to be bad.
///
/// Errors are thrown as ``DecodingSession`` throws them, for the model's code to catch or not. Arrays, dictionaries and
/// optionals go on behind an element that fails, and throw what all of them have thrown at the end.
final class CollectingSession {
  /// A value that is being decoded.
  struct Frame {
    let index: Int
    /// ``CollectingSession/influence`` when it began.
    let influence: Int
  }

  /// An error that carries nothing, told from others by its text and by nothing having been asked since.
  struct InFlight {
    let problems: [Problem]
    let text: String
    let operations: Int
  }

  /// Reads scalars, finds members and makes errors.
  let base: DecodingSession
  /// The places at which placeholders are given out.
  let substituted: Set<Problem.Place>
  let variant: Placeholders.Variant
  /// The most problems that one error needs to carry.
  let problemLimit: Int
  let memory: CollectingMemory
  /// How many placeholders were given out to code that may act on them. Those in one element of an array say nothing to
  /// the next: while that is decoded they are not counted.
  var influence = 0
  var frames: [Frame] = []
  /// Whether a value was left out of which more could have been decoded.
  var hasSkipped = false
  /// Counts what containers are asked, to know whether an error is still on its way.
  var operations = 0
  /// An error of the model's own that is on its way up.
  var inFlight: InFlight?

  init(
    base: DecodingSession, memory: CollectingMemory, substituted: Set<Problem.Place>, variant: Placeholders.Variant,
    problemLimit: Int
  ) {
    self.base = base
    self.memory = memory
    self.substituted = substituted
    self.variant = variant
    self.problemLimit = problemLimit
  }

  var tape: TapeMemory { base.tape }

  func isSubstituted(_ place: Problem.Place) -> Bool { !substituted.isEmpty && substituted.contains(place) }

  /// A placeholder for what `place` lacks.
  ///
  /// - Throws: where there is none.
  func placeholder<T: Decodable>(_ type: T.Type, at place: Problem.Place) throws -> T {
    influence += 1
    guard let value = placeholders(at: place).make(type) else { throw unsubstitutable(at: place) }
    return value
  }

  func placeholders(at place: Problem.Place) -> Placeholders {
    Placeholders(variant, userInfo: base.options.userInfo, codingPath: base.codingPath(to: place.index), memory: memory)
  }

  /// The index of the value of `key` in the object that `frame` stands in.
  func find(_ key: some CodingKey, in frame: MemberFrame) -> Int? {
    operations += 1
    return frame.find(key, base)
  }

  /// Where reading of the object at `object` stands.
  func frame(ofObjectAt object: Int) -> OwnedFrame<MemberFrame.State> {
    let converted = base.usesDefaultKeys ? nil : convertedMembers(of: object)
    return OwnedFrame(MemberFrame.State(base, object: object, converted: converted), of: base, keeping: converted)
  }

  private func convertedMembers(of object: Int) -> ConvertedMembers {
    if let members = memory.convertedMembers[object] { return members }
    let members = ConvertedMembers(of: object, in: base)
    memory.convertedMembers[object] = members
    return members
  }
}

/// What passes over one document leave to the next.
final class CollectingMemory {
  /// How types are decoded.
  var ways: [ObjectIdentifier: DecodingWay] = [:]
  /// Members by converted key, by object: a strategy may be slow.
  var convertedMembers: [Int: ConvertedMembers] = [:]
  /// A value of each type of which there is a good one.
  var samples: [ObjectIdentifier: Any] = [:]
}
