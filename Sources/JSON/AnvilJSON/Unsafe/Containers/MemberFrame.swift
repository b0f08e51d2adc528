/// The reading position in one object: the state of a keyed container.
///
/// The state is plain data because the standard library's box copies its container for every field. If it contained references,
/// each copy would change reference counts.
///
/// Safety: `state` points to an initialised `State` for as long as a container refers to it, and the session and the converted members are
/// alive as long: ``ContainerMemory`` or ``OwnedFrame`` ensures this.
@safe
struct MemberFrame: BitwiseCopyable {
  /// The known properties of the object's keys, which determine how a key is looked up.
  enum Order: UInt8, BitwiseCopyable {
    /// Unknown so far, except that members were read in order, each key once.
    case unknown
    /// All keys differ, so a search can begin anywhere.
    case distinct
    /// Two keys may be equal. Because the first one is used, every search begins at the first member.
    case ambiguous
    /// The object has so many keys that the session has an index of them.
    case indexed
    /// Keys are converted before they are compared.
    case converted
  }

  @safe
  struct State: ContainerState {
    fileprivate let session: Unmanaged<DecodingSession>
    /// The members by converted key, if the session converts keys.
    fileprivate let converted: Unmanaged<ConvertedMembers>?
    /// The object's index.
    let object: Int
    /// The index after the object.
    let end: Int
    /// The index of the key after the member that was read last.
    var next: Int
    /// The index of the key of the member that was read last; before the first member, the object's index.
    var latest: Int
    var order: Order
    /// The requested keys, by their ``bit(of:)``.
    var requestedKeys: UInt64

    /// Returns the frame with the state at `address`.
    static func frame(at address: UnsafeMutablePointer<State>) -> MemberFrame { unsafe MemberFrame(address) }

    @inline(__always)
    init(_ session: DecodingSession, object: Int, converted: ConvertedMembers? = nil) {
      unsafe self.session = .passUnretained(session)
      unsafe self.converted = converted.map { unsafe .passUnretained($0) }
      self.object = object
      end = object &+ session.tape[object].span
      next = object &+ 1
      latest = object
      order = converted == nil ? .unknown : .converted
      requestedKeys = 0
    }
  }

  private let state: UnsafeMutablePointer<State>

  @inline(__always)
  init(_ state: UnsafeMutablePointer<State>) {
    unsafe self.state = state
  }

  @inline(__always) var object: Int { unsafe state.pointee.object }
  @inline(__always) var end: Int { unsafe state.pointee.end }
  @inline(__always) var next: Int { unsafe state.pointee.next }
  @inline(__always) var latest: Int { unsafe state.pointee.latest }

  @inline(__always)
  var order: Order {
    get { unsafe state.pointee.order }
    nonmutating set { unsafe state.pointee.order = newValue }
  }

  /// The members by converted key, if the session converts keys.
  var converted: ConvertedMembers? {
    // Safety: the frame's owner keeps them.
    unsafe state.pointee.converted?.takeUnretainedValue()
  }

  /// Records a request for the key with this bit. Returns false only if the key has certainly not been requested
  /// before.
  @inline(__always)
  func markRequested(_ bit: UInt64) -> Bool {
    let requestedKeys = unsafe state.pointee.requestedKeys
    unsafe state.pointee.requestedKeys = requestedKeys | bit
    return requestedKeys & bit != 0 || bit == 0
  }

  /// Returns a bit that no other key of the type has; zero if no bit is available.
  ///
  /// The compiler generates coding keys as enumerations of one byte. Safety: only a value of one byte is read as a byte.
  @inline(__always)
  static func bit<Key: CodingKey>(of key: Key) -> UInt64 {
    guard MemoryLayout<Key>.size == 1 else { return 0 }
    let value = unsafe unsafeBitCast(key, to: UInt8.self)
    return value < 64 ? 1 &<< UInt64(value) : 0
  }

  /// Records that the member at `key` was read and that `next` is the member after it.
  @inline(__always)
  func advance(past key: Int, to next: Int) {
    unsafe state.pointee.latest = key
    unsafe state.pointee.next = next
  }

  /// The session, as a new strong reference. ``withSession(_:)`` avoids its cost.
  var session: DecodingSession {
    // Safety: a container's session is alive as long as the container is.
    unsafe state.pointee.session.takeUnretainedValue()
  }

  @inline(__always)
  func withSession<Result>(_ body: (DecodingSession) throws -> Result) rethrows -> Result {
    // Safety: a container's session is alive as long as the container is.
    try unsafe state.pointee.session._withUnsafeGuaranteedRef { try body($0) }
  }
}
