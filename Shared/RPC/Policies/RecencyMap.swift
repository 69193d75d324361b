/// A dictionary that knows which of its keys was used longest ago. Its storage is reused: a full one that gives up
/// its oldest for each newcomer allocates nothing.
package struct RecencyMap<Key: Hashable, Value> {
  private struct Node {
    var key: Key
    var value: Value
    var older: Int?
    var newer: Int?
  }

  private var places: [Key: Int] = [:]
  private var nodes: [Node?] = []
  private var free: [Int] = []
  private var oldest: Int?
  private var newest: Int?

  package init() {}

  package var count: Int { places.count }

  /// Looks without counting it as use.
  package subscript(key: Key) -> Value? { places[key].flatMap { nodes[$0]?.value } }

  /// The key and value used longest ago.
  package var eldest: (key: Key, value: Value)? { oldest.flatMap { nodes[$0] }.map { ($0.key, $0.value) } }

  /// Sets a value and makes its key the newest.
  package mutating func set(_ key: Key, to value: Value) {
    if let place = places[key] {
      nodes[place]?.value = value
      return touch(place)
    }
    let node = Node(key: key, value: value)
    let place = free.popLast() ?? nodes.count
    if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
    places[key] = place
    link(place)
  }

  /// Changes a value where it is and makes its key the newest; nil if there is none.
  package mutating func update<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result? {
    guard let place = places[key] else { return nil }
    touch(place)
    return nodes[place].map { _ in change(&nodes[place]!.value) }
  }

  @discardableResult
  package mutating func remove(_ key: Key) -> Value? {
    guard let place = places.removeValue(forKey: key) else { return nil }
    unlink(place)
    free.append(place)
    return nodes[place].take()?.value
  }

  /// The first key, from the oldest on, that fits, among the `most` oldest.
  package func oldest(among most: Int, where fits: (Value) -> Bool) -> Key? {
    var place = oldest
    for _ in 0..<most {
      guard let current = place, let node = nodes[current] else { return nil }
      if fits(node.value) { return node.key }
      place = node.newer
    }
    return nil
  }

  private mutating func touch(_ place: Int) {
    guard newest != place else { return }
    unlink(place)
    link(place)
  }

  private mutating func link(_ place: Int) {
    nodes[place]?.older = newest
    nodes[place]?.newer = nil
    if let newest { nodes[newest]?.newer = place } else { oldest = place }
    newest = place
  }

  private mutating func unlink(_ place: Int) {
    guard let node = nodes[place] else { return }
    if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
    if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
  }
}
