extension EntityBinding {
  func coder<Model: StorableModel>(of type: Model.Type) -> RowCoder<Model> {
    precondition(modelType == ObjectIdentifier(type))
    // Safety: the coder was created with the binding, for the same type. This is called for each row, where `as` would call the runtime.
    return unsafe unsafeDowncast(coder, to: RowCoder<Model>.self)
  }
}
