/// The forms in which a ``JSON/Writer`` writes values: its default forms, or those that the options of an encoder require.
@usableFromInline
struct DirectStyle: BitwiseCopyable, Sendable {
  var escapesSlashes: Bool
  var dates: DateForm
  /// The maximum nesting depth of containers.
  var depthLimit: Int
  /// True if a tag has been written as the first member of the next object, after its opening brace.
  var isObjectBegun = false { didSet { updatePlainDepthLimit() } }
  /// The number of objects with tags that have begun and have not ended.
  var taggedDepth = 0
  /// True if a failure has been recorded.
  var hasFailed = false { didSet { updatePlainDepthLimit() } }
  /// The depth below which containers begin with a bracket without further checks: ``depthLimit``, or 0 if checks are
  /// needed.
  private(set) var plainDepthLimit: Int

  init(escapesSlashes: Bool, dates: DateForm, depthLimit: Int) {
    self.escapesSlashes = escapesSlashes
    self.dates = dates
    self.depthLimit = depthLimit
    plainDepthLimit = depthLimit
  }

  private mutating func updatePlainDepthLimit() { plainDepthLimit = isObjectBegun || hasFailed ? 0 : depthLimit }

  /// The default forms of the direct path. The depth limit is that of the parser.
  @usableFromInline
  static var own: DirectStyle { DirectStyle(escapesSlashes: false, dates: .rfc3339, depthLimit: 512) }
}

extension JSON.Encoder.Options {
  /// The forms in which a ``JSON/Writer`` writes values with these options; `nil` if an option requires containers.
  var directStyle: DirectStyle? {
    guard formatting.subtracting(.withoutEscapingSlashes).isEmpty, userInfo.isEmpty, case .useDefaultKeys = keys,
      case .base64 = data, case .throw = floats, let dates = DateForm(dates)
    else { return nil }
    return DirectStyle(
      escapesSlashes: !formatting.contains(.withoutEscapingSlashes), dates: dates,
      depthLimit: EncodingSession.maximumDepth)
  }
}
