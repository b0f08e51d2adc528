#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON.Decoder {
  /// Decodes one value of type `type` from all of `data`, or says everything that is wrong with it: each missing key, null and
  /// mismatch in the text, not only the first.
  ///
  ///     do {
  ///       users = try decoder.decodeAll([User].self, from: data)
  ///     } catch {
  ///       print(error)    // 2 problems decoding [User] …
  ///     }
  ///
  /// A text that decodes takes no longer than by ``decode(_:from:)-(_,Data)``. For one that does not, decoding goes on with a
  /// placeholder (`""`, 0, nothing) for each value that is wrong, and the models' initialisers are called several times. What
  /// a model tolerates, by `try?` or otherwise, is no problem; what may be wrong only because of a placeholder is left out.
  /// A model that would trap for such a value, had it been sent, traps: use ``diagnosis(of:decoding:from:search:limit:source:)``
  /// with ``JSON/Diagnosis/Search/asDecoded`` for those.
  ///
  /// - Parameters:
  ///   - limit: the most problems that are looked for, at least one.
  ///   - source: what the text is called where its lines are named.
  /// - Throws: ``JSON/Diagnosis``, of a text that is no JSON, too.
  public func decodeAll<T: Decodable>(
    _ type: T.Type, from data: Data, limit: Int = 100, source: String = "text"
  ) throws(JSON.Diagnosis) -> T {
    do {
      return try decode(type, from: data)
    } catch {
      throw diagnosis(of: error, decoding: type, from: data, limit: limit, source: source)
    }
  }

  /// Everything that is wrong with `data`, from which decoding a `type` by this decoder ended with `error`: with the models and
  /// properties by name, which an error alone does not know.
  ///
  /// - Parameters:
  ///   - search: how far is looked: everything, as ``decodeAll(_:from:limit:source:)`` does, unless given.
  ///   - limit: the most problems that are looked for, at least one.
  ///   - source: what the text is called where its lines are named.
  public func diagnosis<T: Decodable>(
    of error: any Error, decoding type: T.Type, from data: Data, search: JSON.Diagnosis.Search = .exhaustive,
    limit: Int = 100, source: String = "text"
  ) -> JSON.Diagnosis {
    let options = options
    let subject = TypeName.of(type)
    func first() -> JSON.Diagnosis {
      let diagnosis = JSON.Diagnosis(error, in: data, decoder: self, source: source)
      return JSON.Diagnosis(
        diagnosis.problems, extent: diagnosis.extent, subject: diagnosis.subject ?? subject, source: source)
    }
    guard let json = try? JSON(parsing: data, options: options.parsing) else { return first() }
    let (_, faults, isComplete) = collectFaults(type, in: json, limit: limit, search: search)
    // Code that decides anew each time may find nothing now.
    guard !faults.isEmpty else { return first() }
    let extent: JSON.Diagnosis.Extent =
      switch search {
      case .asDecoded: faults.count < limit ? .first : .limited
      case .exhaustive: isComplete ? .everything : .limited
      }
    return JSON.Diagnosis(
      faults, in: SourceText(Array(data), root: options.parsing.root), extent: extent, subject: subject, source: source)
  }
}
