/// An enumeration none of whose cases has associated values, as the runtime describes it: its cases by their numbers.
///
/// A `Decodable` enumeration need not be `CaseIterable`, and coding keys hardly ever are: what their cases are called,
/// and which there are, only the metadata says.
///
/// Source: swift/docs/ABI/TypeMetadata.rst, “Nominal Type Descriptors”.
struct EnumShape {
  /// How many cases there are, at least one.
  let count: Int
  private let type: Any.Type

  /// The shape of `type`; `nil` for what is no enumeration, and for one with associated values or without cases.
  init?(of type: Any.Type) {
    // Pointers to descriptors are signed on arm64e, and of another size elsewhere.
    #if _pointerBitWidth(_64) && !(arch(arm64) && _ptrauth(_arm64e))
    // Safety: a metatype is the address of the type's metadata, which lives as long as the process. Its first word is
    // its kind; that of an enumeration has the address of its descriptor as the second, which is seven words of 32
    // bits.
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard unsafe metadata.load(as: UInt.self) == Self.enumKind,
      let descriptor = unsafe metadata.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    else { return nil }
    let payloadCases = unsafe descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
    let emptyCases = unsafe descriptor.load(fromByteOffset: 24, as: UInt32.self)
    guard payloadCases == 0, emptyCases > 0, Self.isTag(size: Self.size(of: type), count: Int(emptyCases)) else {
      return nil
    }
    // Enumerations for Objective-C keep their raw values, not numbers.
    guard !Self.mayBeObjectiveC(type) else { return nil }
    self.type = type
    count = Int(emptyCases)
    #else
    return nil
    #endif
  }

  private static var enumKind: UInt { 0x201 }

  /// Whether a number below `count` is kept in so many bytes.
  private static func isTag(size: Int, count: Int) -> Bool {
    switch size {
    case 0: count == 1
    case 1: count <= 0x100
    case 2: count <= 0x1_0000
    default: false
    }
  }

  private static func size(of type: Any.Type) -> Int {
    func size<T>(_: T.Type) -> Int { MemoryLayout<T>.size }
    return _openExistential(type, do: size)
  }

  private static func mayBeObjectiveC(_ type: Any.Type) -> Bool {
    #if canImport(ObjectiveC)
    func isKeptRaw<T: RawRepresentable>(_ type: T.Type) -> Bool {
      T.RawValue.self is any FixedWidthInteger.Type && MemoryLayout<T.RawValue>.size == MemoryLayout<T>.size
    }
    guard let type = type as? any RawRepresentable.Type else { return false }
    return isKeptRaw(type)
    #else
    return false
    #endif
  }

  /// The case numbered `number` in the order of the declaration; `nil` when there is none or `type` is another.
  func value<T>(_ type: T.Type, _ number: Int) -> T? {
    guard type == self.type, number >= 0, number < count else { return nil }
    return unsafe withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory in
      guard let value = memory.baseAddress else { return nil }
      let bytes = UnsafeMutableRawPointer(value)
      // Safety: the memory has the type's size, which is 0, 1 or 2 bytes as `init` has seen; without associated values,
      // every number below `count` in them is an initialised value, and one that needs no clean-up.
      for offset in 0..<MemoryLayout<T>.size {
        unsafe bytes.storeBytes(
          of: UInt8(truncatingIfNeeded: number >> (8 * offset)), toByteOffset: offset, as: UInt8.self)
      }
      return unsafe value.pointee
    }
  }

  /// The name in the source of the case that `value` is; `nil` for what is no enumeration, and where a program has been
  /// built without such names.
  static func caseName<T>(of value: T) -> String? {
    guard EnumShape(of: T.self) != nil, let name = unsafe _enumCaseName(value) else { return nil }
    // Safety: a C string in the program's constants.
    return unsafe String(cString: name)
  }
}

/// The runtime's own, as the standard library declares it for its descriptions.
@_silgen_name("swift_EnumCaseName")
private func _enumCaseName<T>(_ value: T) -> UnsafePointer<CChar>?
