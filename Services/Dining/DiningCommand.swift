import ServiceKit

@main
struct DiningCommand {
  static func main() { ServiceProgram.main { DiningService.program } }
}
