extension JSON {
  /// Where a text is read, from its first byte to its last.
  ///
  /// ``JSONReadable`` types are given one that stands on the first byte of their value, and leave it behind the last. A
  /// reader lives as long as ``JSON/read(_:from:options:)-(_,Data,_)`` and cannot be kept. It never looks back: a value is
  /// read once, or skipped. Whatever is called in whatever order, memory is safe; out of order the text just seems wrong.
  ///
  /// Everything that is passed is checked as ``JSON/init(parsing:options:)-(Data,_)`` checks it, skipped values included.
  public struct Reader: ~Copyable, ~Escapable {
    /// The place in a copy of the text of the reader's own, in which escapes are resolved.
    @usableFromInline var scanner: TextScanner
    /// The text as it was given: what errors look at.
    let source: RawSpan
    /// Where the next member's key begins, behind its quotation mark; ``noKey`` where there is none, or it has been read.
    @usableFromInline var keyStart: Int
    /// Where a key begins that has been read because it could not be compared as it stands: it has escapes, or is long.
    var readKeyStart = 0
    /// How many bytes that key has; -1 where there is none.
    @usableFromInline var readKeyLength = -1
    /// Whether a member has been read since the keys of an object were tried from the first on.
    var isMemberRead = false
    var indentations = Indentations(repeating: 0)
    /// How many containers are open.
    var depth = 0
    let depthLimit: Int

    /// A reader of `source`, which is UTF-8, from `start` on.
    @usableFromInline
    @_lifetime(copy source)
    init(_ source: RawSpan, from start: Int, depthLimit: Int) {
      self.source = source
      self.depthLimit = depthLimit
      scanner = TextScanner(PaddedBytes(copying: source, for: .call), at: start)
      keyStart = source.byteCount + 1
    }

    /// A place behind the text, where no key is.
    var noKey: Int { scanner.bytes.count &+ 1 }

    deinit {
      scanner.bytes.deallocate(after: .call)
    }

    /// Moves to the outermost value.
    @usableFromInline
    mutating func start(_ options: ParsingOptions) throws(ReadingError) {
      do throws(ParseFailure) { try scanner.checkRoot(options.root) } catch { throw self.error(error) }
    }

    /// Makes sure that nothing follows the outermost value.
    @usableFromInline
    mutating func finish() throws(ReadingError) {
      _ = scanner.skipWhitespace()
      guard scanner.isAtEnd else { throw error(.trailingContent, at: scanner.at) }
    }

    /// Bytes of the text before the place: before a value is read, where it begins. In a text in UTF-16 or UTF-32, those
    /// that it has in UTF-8.
    public var offset: Int { scanner.at }

    /// What the value that begins here is, as far as its first byte tells; `nil` where none begins. For types that look
    /// different from one text to the other.
    public var kind: Kind? { Kind(valueBeginningWith: scanner.bytes[scanner.at]) }

    /// The value of `type` that begins here: `type`'s ``JSONReadable/read(from:)``.
    @inlinable @inline(__always)
    public mutating func read<Value: JSONReadable>(
      _ type: Value.Type = Value.self
    ) throws(ReadingError) -> Value {
      try Value.read(from: &self)
    }

    /// Moves behind the value that begins here, whatever it is.
    ///
    /// - Throws: ``ReadingError`` for what is no JSON: nothing is passed unread.
    /// - Complexity: O(*n*), *n* its length, without recursion.
    public mutating func skip() throws(ReadingError) {
      do throws(ParseFailure) { try scanner.skipValue(depthLimit: depthLimit - depth) } catch {
        throw self.error(error)
      }
    }

    /// The value that begins here, as a document of its own.
    mutating func json() throws(ReadingError) -> JSON {
      let start = scanner.at
      try skip()
      // It has just been checked, limits and all; what has been resolved in the copy is as it was in the source.
      let options = ParsingOptions(depthLimit: .max)
      do throws(SyntaxError) {
        return JSON(try Document.parse(source.extracting(start..<scanner.at), options: options))
      } catch {
        throw self.error(error.code, at: start + error.offset)
      }
    }
  }
}
