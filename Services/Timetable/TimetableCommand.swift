import ServiceKit

@main
struct TimetableCommand {
  static func main() { ServiceProgram.main { TimetableService.program } }
}
