/// Keyed containers that are used again: for each object one allocation less, and several look-ups of generic metadata.
///
/// Set-associative by the type of the keys: as many objects of one type as a set has ways can be open in each other.
///
/// Safety: `entries` points to `count` initialised entries, `frames` to as many states, of which those of entries with a
/// box are initialised; both live until `deallocate()`, and every index is below `count`. A container is given out again
/// only while nothing but its entry refers to its box, so that a frame has one user at a time. Boxes that are referred to
/// from elsewhere (``hasEscaped``) must not outlive this memory: ``EscapedContainers`` sees to that.
@safe
struct ContainerMemory {
  @safe
  private struct Entry {
    var type: ObjectIdentifier?
    /// The box that a `KeyedDecodingContainer` consists of.
    var box: AnyObject?
  }

  private static var ways: Int { 4 }
  private static var sets: Int { 16 }
  private static var count: Int { ways * sets }

  /// Whether a `KeyedDecodingContainer` is a reference to a box and nothing else, as it has always been.
  private static let canReuse: Bool = {
    enum NoKey: CodingKey {}
    let state = UnsafeMutablePointer<MemberFrame.State>.allocate(capacity: 1)
    defer { unsafe state.deallocate() }
    let container = unsafe KeyedDecodingContainer(KeyedContainer<NoKey>(frame: MemberFrame(state)))
    let fields = Mirror(reflecting: container).children.map(\.value)
    guard fields.count == 1, let box = fields.first, type(of: box) is AnyClass else { return false }
    guard MemoryLayout.size(ofValue: container) == MemoryLayout<AnyObject>.size else { return false }
    // Safety: both are of one size, and the field has been found to be an object.
    return unsafe unsafeBitCast(container, to: AnyObject.self) === (box as AnyObject)
  }()

  private let entries: UnsafeMutablePointer<Entry>
  private let frames: UnsafeMutablePointer<MemberFrame.State>

  init() {
    unsafe entries = .allocate(capacity: Self.count)
    unsafe entries.initialize(repeating: Entry(), count: Self.count)
    unsafe frames = .allocate(capacity: Self.count)
  }

  func deallocate() {
    unsafe entries.deinitialize(count: Self.count)
    unsafe entries.deallocate()
    unsafe frames.deallocate()
  }

  /// Whether someone still refers to a container that was given out.
  var hasEscaped: Bool {
    for index in 0..<Self.count where unsafe entries[index].box != nil {
      if unsafe !isKnownUniquelyReferenced(&entries[index].box) { return true }
    }
    return false
  }

  /// The box of a container at the object at `object`; `nil` where all that there is room for are in use.
  ///
  /// Not the container, whose generic metadata an `Optional` of it would look up each time.
  @inline(__always)
  func box<Key: CodingKey>(
    keyedBy type: Key.Type, at object: Int, of session: DecodingSession
  ) -> AnyObject? {
    let identifier = ObjectIdentifier(type)
    let address = UInt(bitPattern: identifier)
    let set = Int(truncatingIfNeeded: (address &>> 4 ^ address &>> 10) & UInt(Self.sets &- 1))
    for index in (set &* Self.ways)..<(set &* Self.ways &+ Self.ways) {
      let entry = unsafe entries + index
      guard unsafe entry.pointee.type == identifier else {
        if unsafe entry.pointee.type == nil { return make(type, at: object, of: session, index) }
        continue
      }
      if unsafe isKnownUniquelyReferenced(&entry.pointee.box) {
        unsafe frames[index] = MemberFrame.State(session, object: object)
        return unsafe entry.pointee.box
      }
    }
    return replacement(type, at: object, of: session, from: set * Self.ways)
  }

  /// The container that consists of a box that was made with keys of this type.
  @inline(__always)
  static func container<Key: CodingKey>(_ box: AnyObject, keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    // Safety: a container is its box: without `canReuse`, there is none.
    unsafe unsafeBitCast(box, to: KeyedDecodingContainer<Key>.self)
  }

  @inline(never)
  private func make<Key: CodingKey>(
    _ type: Key.Type, at object: Int, of session: DecodingSession, _ index: Int
  ) -> AnyObject? {
    guard Self.canReuse else { return nil }
    unsafe frames[index] = MemberFrame.State(session, object: object)
    let container = unsafe KeyedDecodingContainer(KeyedContainer<Key>(frame: MemberFrame(frames + index)))
    // Safety: a container is its box.
    let box = unsafe unsafeBitCast(container, to: AnyObject.self)
    unsafe entries[index] = Entry(type: ObjectIdentifier(type), box: box)
    return box
  }

  /// A container in the place of one of another type that is not in use.
  @inline(never)
  private func replacement<Key: CodingKey>(
    _ type: Key.Type, at object: Int, of session: DecodingSession, from start: Int
  ) -> AnyObject? {
    for index in start..<(start + Self.ways) where unsafe entries[index].type != ObjectIdentifier(type) {
      guard unsafe isKnownUniquelyReferenced(&entries[index].box) else { continue }
      return make(type, at: object, of: session, index)
    }
    return nil
  }
}
