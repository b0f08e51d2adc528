internal import Foundation

enum TerminalSize {
  /// Returns the number of columns of the terminal, or `nil` if it is not known.
  ///
  /// Source: tcgetwinsize() of POSIX.1-2024, which not all C libraries have; TIOCGWINSZ of ioctl_tty(2).
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    // Safety: TIOCGWINSZ writes one `winsize`, which is valid during the call.
    let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}

/// Ignores a signal, and returns whether it was ignored before.
func wasIgnored(beforeIgnoring number: Int32) -> Bool {
  guard let handler = signal(number, SIG_IGN) else { return false }
  // Safety: a function of C has the size of an `Int`. Functions cannot be compared, and the integers are used for nothing else.
  return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

extension Error {
  /// The message of the system for the error. Without one, that of Foundation, or the description of another error.
  var systemReason: String {
    let error = self as NSError
    let causes = [error, error.userInfo[NSUnderlyingErrorKey] as? NSError].compactMap(\.self)
    guard let cause = causes.first(where: { $0.domain == NSPOSIXErrorDomain }) else {
      return self is CocoaError || self is any LocalizedError ? localizedDescription : "\(self)"
    }
    // Safety: strerror returns a NUL-terminated string that is copied at once.
    return unsafe String(cString: strerror(Int32(cause.code)))
  }
}

enum FileKind {
  /// Returns `true` if `path` leads to a pipe, a device or a socket. Symbolic links are followed.
  static func isStream(_ path: String) -> Bool {
    var status = stat()
    // Safety: the path is a NUL-terminated copy for the length of the call; `status` is a local variable and is fully
    // written on success.
    guard unsafe stat(path, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }
}
