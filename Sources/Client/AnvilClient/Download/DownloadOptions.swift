public import AnvilHTTP

/// The options of a download: the settings of each transfer, and the number and delays of attempts.
///
///     var options = DownloadOptions()
///     options.progressHandler = { print($0.byteCount, "of", $0.totalByteCount ?? 0) }
///     try await gateway.request("images", "linux.iso").download(to: file, options: options)
public struct DownloadOptions: RequestConfigurable, Sendable {
  /// The maximum number of consecutive attempts without progress.
  public var fruitlessAttemptLimit = 6
  /// The statuses after which a download that has begun is continued; see ``RetryPolicy/statuses``. Before the first head of a response has
  /// arrived, only the ``RetryPolicy`` of the configuration decides about statuses, errors and methods.
  public var statuses: Set<HTTP.Status> = RetryPolicy.defaultStatuses
  /// The delay before each attempt to continue. The attempt number counts consecutive attempts without progress.
  public var backoff: any BackoffStrategy = ExponentialBackoff()
  /// The settings for each attempt's request. For a gateway's download they take precedence over the request's own settings. A timeout and a
  /// deadline have no effect, and the download as a whole has no time limit. ``RequestConfigurable/idleTimeout`` is the longest time until
  /// the head of each response arrives, and between two parts of its body. It is inherited like every setting, and is 60 seconds if none is
  /// set.
  ///
  /// ``RequestConfigurable/progressHandler`` is called with the progress of the whole file, including bytes of an earlier call. Its counts
  /// never decrease, except to 0 when the download starts again from the beginning. It is also called with the progress of each request's
  /// body. It and ``RequestConfigurable/eventHandler`` replace the request's handlers.
  public var settings = RequestSettings()

  /// Creates options with six attempts without progress, and settings in which nothing is set.
  public init() {}

  /// The longest time without data, unless the options, a request, gateway or configuration set one.
  static let defaultIdleTimeout = Duration.seconds(60)

  /// The longest time without data, where the settings have been inherited.
  var appliedIdleTimeout: Duration { settings.idleTimeout ?? Self.defaultIdleTimeout }
}
