import ServiceKit

@main
struct DemoCommand {
  static func main() { ServiceProgram.main { DemoService.program } }
}
