import RPC

/// The catalogue of films, what a printed title means, and what somebody may like.
package enum FilmsAPI: RPCService {
  package static let name = "films"
}
