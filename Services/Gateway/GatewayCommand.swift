import ServiceKit

/// The executable `odi-gateway`.
@main
struct GatewayCommand {
  static func main() { ServiceProgram.main { GatewayService.program } }
}
