/// A hash function that processes a message in blocks of a fixed size.
protocol BlockHash {
  /// The number of bytes of a block. In the padding, the length of the message occupies an eighth of a block.
  var blockSize: Int { get }
  /// The byte order of the message's length in the padding.
  var lengthOrder: HashPadding.Order { get }
  /// The hash of the blocks so far.
  var bytes: [UInt8] { get }

  /// Processes one block.
  mutating func compress(_ block: ArraySlice<UInt8>)
}

/// An incremental hash of a message.
package struct RunningHash {
  private var function: any BlockHash
  /// The bytes of an incomplete block.
  private var pending: [UInt8] = []
  private var count: UInt64 = 0

  init(_ function: any BlockHash) {
    self.function = function
  }

  /// Adds bytes to the message.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    let before = pending.count
    pending.append(contentsOf: bytes)
    count &+= UInt64(pending.count - before)
    compressBlocks()
  }

  /// Returns the hash of the whole message.
  package consuming func finish() -> [UInt8] {
    pending += HashPadding.bytes(after: count, blockSize: function.blockSize, lengthOrder: function.lengthOrder)
    compressBlocks()
    return function.bytes
  }

  private mutating func compressBlocks() {
    let size = function.blockSize
    let whole = pending.count - pending.count % size
    for start in stride(from: 0, to: whole, by: size) { function.compress(pending[start..<(start + size)]) }
    pending.removeFirst(whole)
  }
}
