/// Where reading of one object stands: the state of a keyed container.
///
/// Plain data, because the standard library's box copies its container for every field: with references in it, each copy
/// counts them.
///
/// Safety: `state` points to an initialised `State` for as long as a container refers to it, and the session and the
/// converted members are alive as long: ``ContainerMemory`` or ``OwnedFrame`` see to it.
@safe
struct MemberFrame: BitwiseCopyable {
  /// What is known of the object's keys, which decides how one is looked up.
  enum Order: UInt8, BitwiseCopyable {
    /// Nothing yet, but that members were read in their order, each key once.
    case unknown
    /// All differ: a search can begin anywhere.
    case distinct
    /// Two may be the same, of which the first counts: every search begins at the first member.
    case ambiguous
    /// There are so many that the session has an index of them.
    case indexed
    /// They are converted before they are compared.
    case converted
  }

  @safe
  struct State: ContainerState {
    fileprivate let session: Unmanaged<DecodingSession>
    /// The members by their converted keys, where the session converts keys.
    fileprivate let converted: Unmanaged<ConvertedMembers>?
    /// The object's index.
    let object: Int
    /// The index behind the object.
    let end: Int
    /// The index of the key behind the member that was read last.
    var next: Int
    /// The index of the key of the member that was read last; the object's before the first.
    var latest: Int
    var order: Order
    /// Which keys were asked for, by their ``bit(of:)``.
    var asked: UInt64

    /// At the first member of the object at `object`.
    static func frame(at address: UnsafeMutablePointer<State>) -> MemberFrame { unsafe MemberFrame(address) }

    @inline(__always)
    init(_ session: DecodingSession, object: Int, converted: ConvertedMembers? = nil) {
      unsafe self.session = .passUnretained(session)
      unsafe self.converted = converted.map { unsafe .passUnretained($0) }
      self.object = object
      end = object &+ session.tape[object].span
      next = object &+ 1
      latest = object
      order = session.usesDefaultKeys ? .unknown : .converted
      asked = 0
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

  /// The members by their converted keys, where the session converts keys.
  var converted: ConvertedMembers? {
    // Safety: the frame's owner keeps them.
    unsafe state.pointee.converted?.takeUnretainedValue()
  }

  /// Says that the key with this bit is asked for; tells whether it was before, or may have been.
  @inline(__always)
  func ask(_ bit: UInt64) -> Bool {
    let asked = unsafe state.pointee.asked
    unsafe state.pointee.asked = asked | bit
    return asked & bit != 0 || bit == 0
  }

  /// A bit that no other key of its type has; zero where there is none.
  ///
  /// The keys that the compiler makes are enumerations of a byte. Safety: a value of one byte is read as one.
  @inline(__always)
  static func bit<Key: CodingKey>(of key: Key) -> UInt64 {
    guard MemoryLayout<Key>.size == 1 else { return 0 }
    let value = unsafe unsafeBitCast(key, to: UInt8.self)
    return value < 64 ? 1 &<< UInt64(value) : 0
  }

  /// Says that the member at `key` was read, and `next` is the one behind it.
  @inline(__always)
  func advance(past key: Int, to next: Int) {
    unsafe state.pointee.latest = key
    unsafe state.pointee.next = next
  }

  /// What `body` makes of the session.
  @inline(__always)
  func withSession<Result>(_ body: (DecodingSession) throws -> Result) rethrows -> Result {
    // Safety: a container's session is alive as long as the container is.
    try unsafe state.pointee.session._withUnsafeGuaranteedRef { try body($0) }
  }
}
