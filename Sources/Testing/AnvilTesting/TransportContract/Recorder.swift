internal import Synchronization

/// A list of values in the order in which they were recorded, on any thread.
final class Recorder<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])

  var all: [Element] { list.withLock { $0 } }

  func add(_ element: Element) {
    list.withLock { $0.append(element) }
  }
}
