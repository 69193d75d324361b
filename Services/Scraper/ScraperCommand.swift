import ServiceKit

@main
enum ScraperCommand {
  static func main() {
    ServiceProgram.main { ScraperService.program }
  }
}
