import ServiceKit

@main
struct RadioCommand {
  static func main() { ServiceProgram.main { RadioService.program } }
}
