extension JSON {
  /// Why a patch is none or cannot be applied, and which of its operations is at fault.
  public struct PatchError: Error, Hashable, Sendable {
    /// What is wrong.
    @nonexhaustive
    public enum Code: Error, Hashable, Sendable {
      /// The patch or the operation is not of the form that RFC 6902 gives it.
      case malformed(String)
      /// Nothing stands there.
      case noValue(at: Pointer)
      /// What this points into does not exist, or is neither an object nor an array.
      case noContainer(above: Pointer)
      /// The last token leads into an array and is no index.
      case invalidIndex(at: Pointer)
      /// The index is beyond the array, which has so many elements.
      case indexOutOfRange(at: Pointer, count: Int)
      /// A value would be moved into itself.
      case moveIntoItself(from: Pointer, to: Pointer)
      /// The whole value would be removed, which leaves no JSON.
      case rootRemoval
      /// The value there is not the one that the test asks for.
      case testFailed(at: Pointer)
      /// The result would take more bytes than the limit.
      case tooLarge(limit: Int)
    }

    /// What is wrong.
    public let code: Code
    /// Which operation, counted from 0; `nil` when the patch as a whole is at fault.
    public let operationIndex: Int?

    init(code: Code, operationIndex: Int?) {
      self.code = code
      self.operationIndex = operationIndex
    }
  }
}

extension JSON.PatchError: CustomStringConvertible {
  /// Which operation and why, without values: `operation 2: nothing stands at "/a/b"`.
  public var description: String { operationIndex.map { "operation \($0): \(code)" } ?? "\(code)" }
}

extension JSON.PatchError.Code: CustomStringConvertible {
  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .malformed(let reason): reason
    case .noValue(let pointer): "nothing stands at \"\(pointer)\""
    case .noContainer(let pointer): "no object or array holds \"\(pointer)\""
    case .invalidIndex(let pointer): "no array index at the end of \"\(pointer)\""
    case .indexOutOfRange(let pointer, let count): "\"\(pointer)\" is beyond an array of \(count)"
    case .moveIntoItself(let from, let to): "\"\(from)\" cannot be moved into itself, to \"\(to)\""
    case .rootRemoval: "the whole value cannot be removed"
    case .testFailed(let pointer): "another value than the expected stands at \"\(pointer)\""
    case .tooLarge(let limit): "the result has more than \(limit) bytes"
    }
  }
}
