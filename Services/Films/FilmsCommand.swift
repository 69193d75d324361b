import ServiceKit

@main
struct FilmsCommand {
  static func main() { ServiceProgram.main { FilmsService.program } }
}
