extension JSON {
  /// An error thrown if a patch is invalid or cannot be applied, with the index of the operation that failed.
  public struct PatchError: Error, Hashable, Sendable {
    /// The reason why a patch is invalid or cannot be applied.
    @nonexhaustive
    public enum Code: Error, Hashable, Sendable {
      /// The patch or the operation does not have the form that RFC 6902 requires.
      ///
      /// What to do: correct the patch.
      case malformed(String)
      /// There is no value at the pointer.
      ///
      /// What to do: fetch the current document and make the patch again.
      case noValue(at: Pointer)
      /// The container that the pointer leads into does not exist, or is neither an object nor an array.
      ///
      /// What to do: add the container first.
      case noContainer(above: Pointer)
      /// The last token of the pointer refers to an array element but is not an index.
      ///
      /// What to do: use an index, or `-` for the end.
      case invalidIndex(at: Pointer)
      /// The index is beyond the end of the array, which has `count` elements.
      ///
      /// What to do: use `-` to append.
      case indexOutOfRange(at: Pointer, count: Int)
      /// A value would be moved into itself.
      ///
      /// What to do: copy it instead.
      case moveIntoItself(from: Pointer, to: Pointer)
      /// The whole value would be removed, which leaves no JSON.
      ///
      /// What to do: replace it with `null`.
      case rootRemoval
      /// The value at the pointer is not the expected one.
      ///
      /// What to do: fetch the current document: someone else changed it.
      case testFailed(at: Pointer)
      /// The result would take more bytes than the limit.
      ///
      /// What to do: check the patch for repeated copies.
      case tooLarge(limit: Int)
    }

    /// The reason why the patch is invalid or cannot be applied.
    public let code: Code
    /// The index of the failed operation, counted from 0; `nil` if the error concerns the patch as a whole.
    public let operationIndex: Int?
  }
}

extension JSON.PatchError: CustomStringConvertible {
  /// The operation and the reason, without values: `operation 2: there is no value at "/a/b"`.
  public var description: String { operationIndex.map { "operation \($0): \(code)" } ?? "\(code)" }
}

extension JSON.PatchError.Code: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .malformed(let reason): reason
    case .noValue(let pointer): "there is no value at \"\(pointer)\""
    case .noContainer(let pointer): "there is no object or array that could contain \"\(pointer)\""
    case .invalidIndex(let pointer): "\"\(pointer)\" does not end in an array index"
    case .indexOutOfRange(let pointer, let count): "\"\(pointer)\" is beyond the end of the array (count: \(count))"
    case .moveIntoItself(let from, let to): "\"\(from)\" cannot be moved into itself, to \"\(to)\""
    case .rootRemoval: "the whole value cannot be removed"
    case .testFailed(let pointer): "the value at \"\(pointer)\" is not the expected one"
    case .tooLarge(let limit): "the result has more than \(limit) bytes"
    }
  }
}
