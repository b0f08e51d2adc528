/// Returns `value` as `Result` if it is of that type, otherwise `nil`.
///
/// `as?` does the same by a search at run time, even if the type is known when the caller is compiled. That took 4 % of the time for
/// an object of 500 bytes.
@inlinable @inline(__always)
func value<Value, Result>(_ value: Value, ifOfType type: Result.Type) -> Result? {
  // Safety: both are the same type.
  Value.self == Result.self ? unsafe unsafeBitCast(value, to: Result.self) : nil
}
