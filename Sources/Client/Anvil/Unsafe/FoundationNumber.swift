import Foundation

/// A number or Boolean with the type that it was created from.
enum FoundationNumber {
  case bool(Bool)
  case integer(Int128)
  case double(Double)
  case float(Float)
  case decimal(Decimal)
}

extension NSNumber {
  /// Casts do not determine the number's type: on Linux, `NSNumber(value: 1) is Bool` is true, and `as? Int` succeeds for a Boolean.
  var number: FoundationNumber {
    if isBoolean { return .bool(boolValue) }
    if let number = self as? NSDecimalNumber { return .decimal(number.decimalValue) }
    // Safety: the encoding is a C string of at least one character, and the number retains it. The first character encodes the type.
    // Source: Objective-C Runtime Programming Guide, Type Encodings.
    switch unsafe UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "d"): return .double(doubleValue)
    case UInt8(ascii: "f"): return .float(floatValue)
    case UInt8(ascii: "Q"), UInt8(ascii: "L"): return .integer(Int128(uint64Value))
    default: return .integer(Int128(int64Value))
    }
  }

  private var isBoolean: Bool {
    #if canImport(Darwin)
    CFGetTypeID(self) == CFBooleanGetTypeID()
    #else
    // Safety: as above. On this platform only Booleans have the encoding "c": an `Int8` has "i".
    unsafe UInt8(bitPattern: objCType.pointee) == UInt8(ascii: "c")
    #endif
  }
}

/// The Swift types that Foundation bridges to `NSNumber`. Check for this protocol before `NSNumber`, because a cast to `NSNumber` could
/// succeed for all of them.
protocol FoundationScalar {
  var number: FoundationNumber { get }
}

extension Bool: FoundationScalar { var number: FoundationNumber { .bool(self) } }
extension Double: FoundationScalar { var number: FoundationNumber { .double(self) } }
extension Float: FoundationScalar { var number: FoundationNumber { .float(self) } }
extension CGFloat: FoundationScalar { var number: FoundationNumber { .double(Double(self)) } }
extension Decimal: FoundationScalar { var number: FoundationNumber { .decimal(self) } }

extension FoundationScalar where Self: FixedWidthInteger {
  var number: FoundationNumber { .integer(Int128(self)) }
}

extension Int: FoundationScalar {}
extension Int8: FoundationScalar {}
extension Int16: FoundationScalar {}
extension Int32: FoundationScalar {}
extension Int64: FoundationScalar {}
extension UInt: FoundationScalar {}
extension UInt8: FoundationScalar {}
extension UInt16: FoundationScalar {}
extension UInt32: FoundationScalar {}
extension UInt64: FoundationScalar {}
