internal import Foundation

/// The size of a terminal's window.
enum TerminalSize {
  /// How many columns the terminal has that `descriptor` is; `nil` for what is no terminal or does not know.
  ///
  /// Source: tcgetwinsize() of POSIX.1-2024, which not all C libraries have; TIOCGWINSZ of ioctl_tty(2).
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    // Safety: TIOCGWINSZ writes one `winsize`, which lives until the call returns.
    let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}
