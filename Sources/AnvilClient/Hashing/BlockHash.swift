/// A hash function that works through a message in blocks of one size.
protocol BlockHash {
  /// How many bytes a block has; the message's length takes an eighth of that in the padding.
  var blockSize: Int { get }
  /// In which order the padding has the bytes of the message's length.
  var lengthOrder: HashPadding.Order { get }
  /// The hash of the blocks so far.
  var bytes: [UInt8] { get }

  /// Takes in one block.
  mutating func compress(_ block: ArraySlice<UInt8>)
}

/// The hash of a message that comes in pieces.
struct RunningHash {
  private var function: any BlockHash
  /// What is not a whole block yet.
  private var pending: [UInt8] = []
  private var count: UInt64 = 0

  init(_ function: any BlockHash) {
    self.function = function
  }

  /// Takes in the next piece of the message.
  mutating func update(_ bytes: some Sequence<UInt8>) {
    let before = pending.count
    pending.append(contentsOf: bytes)
    count &+= UInt64(pending.count - before)
    compressBlocks()
  }

  /// The hash of the whole message.
  consuming func finish() -> [UInt8] {
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
