import ServiceKit

@main
struct LocatorCommand {
  static func main() { ServiceProgram.main { LocatorService.program } }
}
