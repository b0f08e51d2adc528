extension JSON {
  /// A position in a JSON text that is read from its first byte to its last.
  ///
  /// A ``JSONReadable`` type receives a reader at the first byte of its value and leaves it after the last one. A reader is valid during
  /// ``JSON/read(_:from:options:)-(_,Data,_)`` and cannot be kept. Each value is read once or skipped: a reader never moves back, except in
  /// ``readIfValid(_:)``. Calls in the wrong order are memory-safe. They only make the text appear to be invalid.
  ///
  /// Everything is validated as in ``JSON/init(parsing:options:)-(Data,_)``, including skipped values.
  public struct Reader: ~Copyable, ~Escapable {
    /// The position in the reader's own copy of the text, in which escapes are resolved.
    @usableFromInline var scanner: TextScanner
    /// The original text, which errors refer to.
    let source: RawSpan
    /// The offset of the first character of the next member's key; ``noKey`` if there is no next key, or if it has been read.
    @usableFromInline var keyStart: Int
    /// The offset of a key that has been read because it has escapes or is too long to be compared in the text.
    var readKeyStart = 0
    /// The number of bytes of the key that has been read; -1 if no key has been read.
    @usableFromInline var readKeyLength = -1
    /// True if a member has been read in the current round, in which each key of the type is tried once.
    var isMemberRead = false
    /// The number of spaces by which each depth is indented. It is only a prediction; the text is compared with it.
    var indentation = 0
    /// The number of open containers.
    @usableFromInline var depth = 0
    /// True while ``readIfValid(_:)`` reads a value, which is discarded if it is invalid.
    @usableFromInline var isAttempting = false
    let depthLimit: Int
    /// The ends of containers that were skipped to find a tag.
    var containerEnds = ContainerEnds()
    /// The object whose tags were read last, and how often.
    var tagOffset = -1
    var tagCount = 0
    /// The URLs read so far.
    var urls = ParsedURLs()
    /// The form in which dates are read.
    let dates: DateForm

    /// Creates a reader of `source`, which is UTF-8, from `start` on, for values whose dates have the form `dates`.
    @usableFromInline
    @_lifetime(copy source)
    init(_ source: RawSpan, from start: Int, depthLimit: Int, dates: DateForm) {
      self.source = source
      self.depthLimit = depthLimit
      self.dates = dates
      scanner = TextScanner(PaddedBytes(copying: source, for: .call), at: start)
      keyStart = source.byteCount + 1
    }

    /// An offset after the text, where no key can begin.
    var noKey: Int { scanner.bytes.count &+ 1 }

    deinit {
      scanner.bytes.deallocate(after: .call)
    }

    /// Moves to the outermost value.
    @usableFromInline
    mutating func start(_ options: ParsingOptions) throws(ReadingError) {
      do throws(ParseFailure) { try scanner.checkRoot(options.root) } catch { throw self.error(error) }
    }

    /// Checks that nothing follows the outermost value.
    @usableFromInline
    mutating func finish() throws(ReadingError) {
      _ = scanner.skipWhitespace()
      guard scanner.isAtEnd else { throw error(.trailingContent, at: scanner.at) }
    }

    /// The number of bytes before the current position. Before a value is read, it is the offset of that value. For UTF-16 and UTF-32,
    /// it counts the bytes of the text in UTF-8.
    public var offset: Int { scanner.at }

    /// The kind of the value that begins here, derived from its first byte; `nil` if no value begins here. Use it in types whose JSON form
    /// varies.
    public var kind: Kind? { Kind(valueBeginningWith: scanner.bytes[scanner.at]) }

    /// Reads the value of `type` that begins here, with its ``JSONReadable/read(from:)``.
    @inlinable @inline(__always)
    public mutating func read<Value: JSONReadable>(
      _ type: Value.Type = Value.self
    ) throws(ReadingError) -> Value {
      try Value.read(from: &self)
    }

    /// Moves after the value that begins here, regardless of its kind.
    ///
    /// - Throws: ``ReadingError`` if the value is not valid JSON: skipped values are validated too.
    /// - Complexity: O(*n*), where *n* is the length of the value. There is no recursion.
    public mutating func skip() throws(ReadingError) {
      do throws(ParseFailure) { try scanner.skipValue(depthLimit: depthLimit - depth) } catch {
        throw self.error(error)
      }
    }

    /// Reads the value that begins here as a separate document.
    mutating func json() throws(ReadingError) -> JSON {
      let start = scanner.at
      try skip()
      // It has just been validated, including the limits. Escapes resolved in the copy are unchanged in the source.
      let options = ParsingOptions(depthLimit: .max)
      do throws(SyntaxError) {
        return JSON(try Document.parse(source.extracting(start..<scanner.at), options: options))
      } catch {
        throw self.error(error.code, at: start + error.offset)
      }
    }
  }
}
