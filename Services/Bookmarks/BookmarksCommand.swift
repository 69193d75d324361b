import ServiceKit

@main
struct BookmarksCommand {
  nonisolated static func main() { ServiceProgram.main { BookmarksService.program } }
}
