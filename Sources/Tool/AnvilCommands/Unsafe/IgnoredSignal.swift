internal import Foundation

/// Ignores a signal, and returns whether it was ignored before.
func wasIgnored(beforeIgnoring number: Int32) -> Bool {
  guard let handler = signal(number, SIG_IGN) else { return false }
  // Safety: a function of C has the size of an `Int`. Functions cannot be compared, and the integers are used for nothing else.
  return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}
