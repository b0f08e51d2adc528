internal import AnvilHTTP
internal import AnvilSchema
internal import Foundation

/// The names in models that are created from a sample.
extension DocumentSource {
  /// The name of the source in generated models, without local folders and secrets.
  var origin: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): URL(filePath: name).lastPathComponent
    case .url(let options): options.request.url.host().map { $0 + options.request.url.path } ?? "a URL"
    }
  }

  /// Returns the name of the type for this source.
  ///
  /// - Parameter documents: The number of documents in a text.
  func typeName(for shape: Shape, documents: SampleText.Count) -> String {
    switch self {
    case .standardInput: return "Root"
    case .file(let name):
      let text = Self.withoutNumber(URL(filePath: name).deletingPathExtension().lastPathComponent)
      return documents == .several ? SwiftModels.typeName(ofOneOf: text) : SwiftModels.typeName(from: text, for: shape)
    case .url(let options):
      let steps = options.request.url.path.split(separator: "/").map { $0.prefix { $0 != "." } }
      let names = steps.map(String.init).filter { $0.contains(where: \.isLetter) }
      if shape.arrays.count == 0, let plural = names.last(where: SwiftModels.isPlural) {
        return SwiftModels.typeName(ofOneOf: plural)
      }
      return SwiftModels.typeName(from: names.last ?? "Root", for: shape)
    }
  }

  /// Returns the name without its number, because numbers distinguish samples: `user` for `user-1` and `user2`.
  private static func withoutNumber(_ name: String) -> String {
    let end = name.lastIndex { !$0.isNumber && !"-_. ".contains($0) }
    return end.map { String(name[...$0]) } ?? name
  }
}
