/// The options of requests: the message.
extension CommandOption {
  static let method = value("method", "X", "METHOD", "use this request method instead of the command's")
  static let data = values(
    "data", "d", "TEXT|@FILE", completion: .attachedFiles,
    "send TEXT, or the contents of FILE (@- for standard input); several values are joined with &; the media type of "
      + "a single file is derived from its name, otherwise it is application/x-www-form-urlencoded")
  static let json = values(
    "json", nil, "BODY|@FILE|NAME=TEXT|NAME:=JSON", completion: .attachedFiles,
    "send BODY, which must be JSON, or an object with this member; more members may follow the URL; NAME=@FILE is the "
      + "text of a file, NAME=\\@TEXT a text that begins with @")
  static let form = values("form", nil, "NAME=VALUE", "send a URL-encoded form with this field; may be repeated")
  static let multipart = values(
    "multipart", "F", "NAME=VALUE|NAME=@FILE", completion: .attachedFiles,
    "send a multipart form with this field or file; ;type=TYPE and ;filename=NAME may follow FILE; may be repeated")
  static let gzip = flag("gzip", nil, "compress the body with gzip")

  static let requestBodies = [data, json, form, multipart, gzip]
}

/// The options of requests: the output.
extension CommandOption {
  static let output = value(
    "output", "o", "FILE", completion: .files,
    "write the body to FILE, which is replaced when the body is complete, or to a pipe or device; - is standard output, "
      + "even for binary data on a terminal")
  static let resume = flag("continue", "C", "with --output, continue an earlier download that was interrupted")
  static let path = value(
    "path", nil, "PATH",
    "print or store only the values at PATH of a JSON body; strings are printed without quotation marks, numbers with "
      + "all digits")
  static let table = flag("table", nil, "print an array of objects as a table")
  static let raw = flag("raw", "r", "print the body without changes, even on a terminal")
  static let include = flag("include", "i", "print status and headers before the body")
  static let verbose = flag(
    "verbose", "v", "print the heads of requests and responses to standard error, with secrets as <redacted>")
  static let showSecrets = flag("show-secrets", nil, "with --verbose, also print secrets")
  static let noProgress = flag("no-progress", nil, "show no progress bar")
  static let curl = flag("curl", nil, "print a curl command for the request instead of sending it")
  static let har = value(
    "har", nil, "FILE", completion: .files, "record the exchanges as an HTTP archive, with secrets as <redacted>")

  static let outputs = [
    output, resume, path, table, raw, color, include, verbose, showSecrets, secretPath, noProgress, curl, har,
  ]
}

/// The options for the database.
extension CommandOption {
  static let into = value("into", nil, "FILE", completion: .files, "store in this database, which is created if needed")
  static let entity = value("entity", nil, "NAME", "the table's name; required with --into")
  static let key = values(
    "key", nil, "NAME",
    "a member that identifies a row; may be repeated for keys of several members; without this option each object is a "
      + "new row; with --cert and without --into, the same as --cert-key")
}

/// The options for the exchange and the connection.
extension CommandOption {
  static let maxRedirects = value("max-redirs", nil, "N", "follow at most N redirects; --follow allows 20")
  static let cookies = value(
    "cookies", nil, "FILE", completion: .files,
    "send the cookies in FILE, and save the cookies of responses to it; a .txt file has Netscape's format, others JSON")
  static let etagSave = value(
    "etag-save", nil, "FILE", completion: .files, "write the response's entity tag to FILE")
  static let etagCompare = value(
    "etag-compare", nil, "FILE", completion: .files,
    "send the entity tag in FILE; an unchanged response is a success without output")
  static let compressed = flag(
    "compressed", nil, "request a compressed response, which is the default except with --output")
  static let uncompressed = flag("no-compressed", nil, "request a response that is not compressed")
  static let patience = value(
    "timeout", nil, "SECONDS",
    "give up after SECONDS, such as 2.5; by default after 60 seconds without a response, or "
      + "with --output without any data")
  static let exchange = [
    follow, maxRedirects, retries, patience, cookies, etagSave, etagCompare, compressed, uncompressed,
  ]

  static let transport = value(
    "transport", nil, "NAME", completion: .choices(of: TransportChoice.self),
    "the transport: curl, the default on Linux, or urlsession, the default elsewhere; the options below need curl")
  static let insecure = flag("insecure", "k", "accept any server certificate; for tests only")
  static let authorities = value(
    "cacert", nil, "FILE", completion: .files, "trust the certificate authorities in FILE (PEM), and no others")
  static let certificate = value(
    "cert", nil, "FILE", completion: .files, "authenticate with the client certificate in FILE (PEM)")
  static let certificateKey = value(
    "cert-key", nil, "FILE", completion: .files, "the private key of the certificate; by default it is in the same file"
  )
  static let proxy = value(
    "proxy", "x", "URL",
    "use this proxy: http, https, socks4, socks4a, socks5 or socks5h; none disables proxies; by default, the proxy is "
      + "taken from the environment")
  static let resolve = values("resolve", nil, "HOST:PORT:ADDRESS", "connect to ADDRESS for HOST and PORT")
  static let http1 = flag("http1.1", nil, "use HTTP/1.1 only")
  static let http2 = flag("http2", nil, "use HTTP/2 only, without negotiation")
  static let basic = flag(
    "basic", nil, "send user and password with the first request (Basic), without waiting for a challenge")

  static let connection = [
    transport, insecure, authorities, certificate, certificateKey, proxy, resolve, http1, http2,
  ]
}
