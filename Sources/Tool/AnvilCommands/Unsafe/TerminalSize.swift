internal import Foundation

/// The size of a terminal's window.
enum TerminalSize {
  /// Returns the number of columns of the terminal with this descriptor, or `nil` if it is not a terminal or its size
  /// is unknown.
  ///
  /// Source: tcgetwinsize() of POSIX.1-2024, which not all C libraries have; TIOCGWINSZ of ioctl_tty(2).
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    // Safety: TIOCGWINSZ writes one `winsize`, which is valid during the call.
    let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}
