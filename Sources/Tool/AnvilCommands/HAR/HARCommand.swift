internal import AnvilBase
internal import AnvilClient
internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilServer
internal import Foundation

/// Implements `anvil har`: shows an HTTP archive in a browser.
struct HARCommand {
  let options: HAROptions
  let console: Console

  /// Writes or serves the page.
  func run() async -> ExitStatus {
    do throws(DocumentReader.Failure) {
      let notes = ArchiveNotes(standard: try await standard(), url: options.checkedURL)
      switch options.destination {
      case .file(let name): return write(try page(notes), to: name)
      case .temporary: return show(try page(notes))
      case .server(let port): return try await serve(notes, port: port)
      }
    } catch {
      return error.status
    }
  }

  private func standard() async throws(DocumentReader.Failure) -> CheckStandard? {
    guard !options.against.isEmpty else { return nil }
    let reader = DocumentReader(console: console)
    var texts: [DocumentText] = []
    for source in options.against { texts.append(try await reader.read(source)) }
    let standard = try StandardReader(
      reference: .inferred, errorStyle: options.errorStyle, console: console
    ).standard(of: texts)
    for note in standard.notes { console.fail("\(standard.names[0]): \(note)") }
    return standard
  }

  private func page(_ notes: ArchiveNotes) throws(DocumentReader.Failure) -> Data {
    do throws(ArchiveFile.Failure) {
      let archive = try ArchiveFile(ArchiveFile.bytes(of: options.source, console), from: options.source)
      let data = InspectorPage.data(
        file: options.title, archive: archive.bytes, notes: notes.notes(of: archive.document), .none)
      return InspectorPage.page(title: options.title, data: data, .none)
    } catch {
      throw report(error)
    }
  }

  private func report(_ failure: ArchiveFile.Failure) -> DocumentReader.Failure {
    if case .broken(let diagnosis, let text) = failure {
      let shown = CheckReport.rendered(
        diagnosis, of: text, title: "not JSON, and therefore not an HTTP archive", options.errorStyle)
      console.writeError(shown + "\n")
    } else {
      console.fail(failure.message(options.source.description))
    }
    if case .unreadable = failure { return DocumentReader.Failure(status: .inputOutput) }
    return DocumentReader.Failure(status: .decoding)
  }
}

/// The page as a file.
extension HARCommand {
  private func write(_ page: Data, to name: String) -> ExitStatus {
    if OutputFile.isStandardOutput(name) {
      console.write(page)
      return .success
    }
    do {
      try OutputFile.write(page, to: URL(filePath: name))
      return .success
    } catch let failure as PrivateFile.Failure {
      console.fail("\(failure)")
      return .inputOutput
    } catch {
      console.fail("the file \(name) cannot be written: \(error.localizedDescription)")
      return .inputOutput
    }
  }

  /// Writes the page to a new temporary folder, and opens it. Because the folder is new, the file can have the name that the browser is to
  /// show.
  private func show(_ page: Data) -> ExitStatus {
    do {
      let file = try Self.temporaryFolder().appending(path: "\(options.title).html")
      try PrivateFile.write(page, to: file)
      console.write("\(file.path(percentEncoded: false))\n")
      open(file)
      return .success
    } catch {
      console.fail("the page cannot be written: \(error)")
      return .inputOutput
    }
  }

  /// Opens a URL that other users must not see. The arguments of a process are visible to them, so the browser receives the name of a
  /// private file, which leads to the URL.
  ///
  /// - Returns: The folder of the file; `nil` if no browser is started.
  private func open(secret url: URL) -> URL? {
    guard options.opensBrowser else { return nil }
    do {
      let folder = try Self.temporaryFolder()
      let file = folder.appending(path: "open.html")
      try PrivateFile.write(Data(InspectorPage.redirect(to: url).utf8), to: file)
      open(file)
      return folder
    } catch {
      console.fail("no browser could be started: \(error)")
      return nil
    }
  }

  private static func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func open(_ url: URL) {
    guard options.opensBrowser, !Browser.open(url, environment: console.environment) else { return }
    console.fail("no browser could be started: open the page yourself")
  }
}

/// The page of a recording in progress.
extension HARCommand {
  private func serve(_ notes: ArchiveNotes, port: UInt16) async throws(DocumentReader.Failure) -> ExitStatus {
    guard case .file(let name) = options.source else { return .usage }
    let followed = FollowedArchive(
      file: URL(filePath: name), source: options.source, title: options.title, notes: notes)
    // The file may be missing, but it must be an archive if it exists.
    if let failure = followed.failure { throw report(failure) }
    let server: LoopbackServer
    do throws(LoopbackServer.StartError) {
      server = try LoopbackServer(port: port)
    } catch {
      console.fail("cannot listen on port \(port): \(error)")
      return .transport
    }
    // Other users of the machine can reach the port, but do not know the path.
    let secret = (0..<4).map { _ in String(UInt32.random(in: 0 ... .max), radix: 36) }.joined()
    let inspector = InspectorServer(archive: followed, path: "/\(secret)/")
    server.onAnythingElse { inspector.reply(to: $0) }
    let end = TerminationSignals()
    let url = server.url("/\(secret)/")
    console.write("listening on \(url.absoluteString)\n")
    let folder = open(secret: url)
    await end.wait()
    await server.stopped()
    if let folder { try? FileManager.default.removeItem(at: folder) }
    return .success
  }
}

extension HAROptions {
  /// The name of the archive, which is the title of the page.
  var title: String {
    guard case .file(let name) = source else { return "standard input" }
    return URL(filePath: name).lastPathComponent.printable
  }
}
