public struct ByteBuffer: Hashable, Sendable {
  private let bytes: [UInt8]

  public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  public var readableBytes: Int { bytes.count }
  public var readableBytesView: ByteBufferView { ByteBufferView(bytes: bytes) }
}

public struct ByteBufferView: RandomAccessCollection, Sendable {
  let bytes: [UInt8]

  public var startIndex: Int { bytes.startIndex }
  public var endIndex: Int { bytes.endIndex }
  public subscript(position: Int) -> UInt8 { bytes[position] }

  public func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
    try bytes.withContiguousStorageIfAvailable(body)
  }
}

public struct TimeAmount: Hashable, Sendable {
  public let nanoseconds: Int64

  public static func nanoseconds(_ amount: Int64) -> TimeAmount { TimeAmount(nanoseconds: amount) }
}

public struct NIODeadline: Hashable, Sendable {
  /// Only in the stub: the clock. `nil` for the distant future.
  public var instant: ContinuousClock.Instant?

  public static let distantFuture = NIODeadline()

  public static func now() -> NIODeadline { NIODeadline(instant: .now) }

  public static func + (deadline: NIODeadline, amount: TimeAmount) -> NIODeadline {
    NIODeadline(instant: deadline.instant.map { $0 + .nanoseconds(amount.nanoseconds) })
  }
}

public struct IOError: Error {
  public let errnoCode: CInt

  public init(errnoCode: CInt, reason: String) { self.errnoCode = errnoCode }
}

public enum ChannelError: Error, Equatable {
  case connectTimeout(TimeAmount)
  case ioOnClosedChannel
  case eof
}
