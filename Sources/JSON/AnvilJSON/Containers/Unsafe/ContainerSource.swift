/// Stores a container and returns copies of it, so that it can be used for one object after another.
///
/// The class is generic over the container, not over its keys, so that a copy finds its metadata in the object. When it was generic over
/// the keys, the runtime looked up the metadata each time. This took 470 instructions, more than decoding most fields.
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
