struct DemoCommand {
  let json: Bool
  let console: Console
  func run() async -> ExitStatus { .success }
}
