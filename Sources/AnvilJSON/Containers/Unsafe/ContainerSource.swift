/// A container that is returned repeatedly.
///
/// The class is generic over the container, not over its keys, so that a copy finds its metadata in the object. With the keys,
/// the runtime looked it up each time (470 instructions, more than most fields take).
final class ContainerSource<Container> {
  private let container: Container

  init(_ container: Container) {
    self.container = container
  }

  /// Returns the container. The method is not specialised, because that would bring the look-up back.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func get() -> Container { container }
}
