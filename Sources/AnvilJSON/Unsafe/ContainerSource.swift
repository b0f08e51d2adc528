/// A container that is given out again and again.
///
/// Generic over the container and not over its keys, so that copying it finds its metadata in the object: by way of the
/// keys, the runtime looked it up each time (470 instructions, more than most fields take).
final class ContainerSource<Container> {
  private let container: Container

  init(_ container: Container) {
    self.container = container
  }

  /// The container. Not specialised, which would bring the look-up back.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func get() -> Container { container }
}
