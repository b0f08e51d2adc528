internal import AnvilBase
package import AnvilJSON

/// Finds the faults of one document by repeated passes, until one of them decodes it or a limit is reached.
struct FaultCollector {
  private let base: ValueReader
  private let limit: Int
  private let memory = CollectingMemory()
  private var substituted: Set<RaisedFault.Slot> = []
  private var found: [(index: Int, fault: Fault)] = []
  private var passesLeft: Int
  /// True if no further faults can be found.
  private var isAtEnd = false
  private var hasSkipped = false
  /// True if all faults were found, and no value that may contain further faults was left out.
  private(set) var isComplete = false

  /// Creates a collector of at most `limit` faults in `json`.
  ///
  /// - Parameter wordLimit: the number of words of the tape that all passes together may visit. The default takes a few seconds at most. At
  ///   least four passes are made, however large the document is.
  init(_ json: JSON, decoder: JSON.Decoder, limit: Int, wordLimit: Int = 1 << 27) {
    base = ValueReader(json, for: decoder)
    self.limit = max(1, min(limit, .max - 1))
    let passes = 16 + 4 * min(self.limit, 1 << 32)
    passesLeft = max(4, min(passes, wordLimit / (base.index(after: base.root) - base.root)))
  }

  /// The faults in the order of the document.
  var faults: [Fault] { found.sorted(on: { $0.index }).map(\.fault) }

  /// Collects the faults at which decoding stops: one for each element of an array and each value of a dictionary. No model receives a
  /// placeholder.
  mutating func collectFirst<T: Decodable>(_ type: T.Type) {
    for fault in pass(type, .first) { note(fault) }
  }

  mutating func collect<T: Decodable>(_ type: T.Type) {
    while !isAtEnd, passesLeft > 0 {
      let raised = pass(type, .first)
      guard !raised.isEmpty else {
        isComplete = !hasSkipped
        return
      }
      let doubted = Set(raised.filter(\.isDoubtful).map(\.identity))
      // A fault that placeholders may have caused must also occur with other placeholders.
      let confirmed =
        doubted.isEmpty ? [] : Set(pass(type, .other).filter { $0.source != .modelWithPlaceholder }.map(\.identity))
      for fault in raised {
        if fault.isDoubtful, !confirmed.contains(fault.identity) {
          leaveOut(fault, upTo: fault.influenced)
        } else {
          note(fault)
        }
      }
      // The whole document is wrong, so nothing else can be found.
      if substituted.contains(.value(base.root)) {
        isComplete = !hasSkipped
        return
      }
    }
  }

  /// Returns the faults that prevent decoding `type`; an empty array if it was decoded.
  private mutating func pass<T: Decodable>(_ type: T.Type, _ variant: Placeholders.Variant) -> [RaisedFault] {
    passesLeft -= 1
    let session = CollectingSession(
      base: base, memory: memory, substituted: substituted, variant: variant, faultLimit: limit - found.count + 1)
    defer { hasSkipped = hasSkipped || session.hasSkipped }
    do {
      _ = try session.decode(type, at: base.root, for: nil)
      return []
    } catch {
      return session.faults(of: error)
    }
  }

  /// Records a fault that ended a pass. A fault that cannot be recorded is bypassed by leaving out a value around it.
  private mutating func note(_ fault: RaisedFault) {
    switch fault.source {
    case .container, .model:
      guard found.count < limit else {
        isAtEnd = true
        return
      }
      guard substituted.insert(fault.slot).inserted else { return leaveOut(fault, upTo: nil) }
      found.append((fault.shown ?? fault.slot.index, fault.described(by: base)))
      // Further errors that the model may report about the contents are not known.
      if fault.source == .model, base.count(at: fault.slot.index) > 0 { hasSkipped = true }
    case .modelWithPlaceholder: leaveOut(fault, upTo: fault.slot.index)
    case .placeholder: leaveOut(fault, upTo: nil)
    }
  }

  /// Replaces a value that contains the fault by a placeholder in later passes: the innermost one that is not replaced yet. The search
  /// starts at the value at `index`, or at the innermost value if `index` is `nil`.
  private mutating func leaveOut(_ fault: RaisedFault, upTo index: Int?) {
    hasSkipped = true
    for frame in fault.enclosing.reversed()
    where frame <= index ?? .max && fault.slot != .value(frame) || frame == index {
      guard frame != base.root else { break }
      if substituted.insert(.value(frame)).inserted { return }
    }
    isAtEnd = true
  }
}

extension RaisedFault {
  /// The properties that are equal in two passes if the fault is the same.
  struct Identity: Hashable {
    let slot: Slot
    let code: JSON.Diagnosis.Code
  }

  var identity: Identity { Identity(slot: slot, code: code) }

  /// True if a placeholder may have caused the fault.
  var isDoubtful: Bool { influenced != nil && (source == .container || source == .model) }
}

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
