/// A dictionary that knows which of its keys was used longest ago, and gives that one up where it would hold more than it
/// may. Its storage is reused: a full one allocates nothing. Public, to be specialised where it is used.
public struct RecencyMap<Key: Hashable, Value> {
  private struct Node {
    var key: Key
    /// Nil where the place is free.
    var value: Value?
    var older: Int?
    var newer: Int?
  }

  private var places: [Key: Int] = [:]
  private var nodes: [Node] = []
  private var free: [Int] = []
  private var oldest: Int?
  private var newest: Int?
  private let countMax: Int

  /// Without a bound, whoever fills it calls `removeEldest`, by whatever else it counts.
  public init(atMost countMax: Int = .max) { self.countMax = countMax }

  public var count: Int { places.count }

  /// Looks without counting it as use.
  public subscript(key: Key) -> Value? { places[key].flatMap { nodes[$0].value } }

  /// The key and value used longest ago.
  public var eldest: (key: Key, value: Value)? {
    guard let oldest, let value = nodes[oldest].value else { return nil }
    return (nodes[oldest].key, value)
  }

  /// Looks, and makes the key the newest.
  public mutating func use(_ key: Key) -> Value? { update(key) { $0 } }

  /// Sets a value, makes its key the newest, and returns what was there. Of one too many the eldest goes.
  @discardableResult
  public mutating func set(_ key: Key, to value: Value) -> Value? {
    if let place = places[key] {
      touch(place)
      return exchange(&nodes[place].value, with: value)
    }
    let place = free.popLast() ?? nodes.count
    if place == nodes.count {
      nodes.append(Node(key: key, value: value))
    } else {
      nodes[place].key = key
      nodes[place].value = value
    }
    places[key] = place
    link(place)
    if places.count > countMax { _ = removeEldest() }
    return nil
  }

  /// Changes a value where it is and makes its key the newest; nil if there is none.
  public mutating func update<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result? {
    guard let place = places[key] else { return nil }
    touch(place)
    return change(&nodes[place].value!)
  }

  @discardableResult
  public mutating func remove(_ key: Key) -> Value? {
    guard let place = places.removeValue(forKey: key) else { return nil }
    return vacate(place)
  }

  /// Removes the value used longest ago.
  public mutating func removeEldest() -> Value? {
    guard let oldest else { return nil }
    places.removeValue(forKey: nodes[oldest].key)
    return vacate(oldest)
  }

  /// The first key, from the oldest on, that fits, among the `most` oldest.
  public func oldest(among most: Int, where fits: (Value) -> Bool) -> Key? {
    var place = oldest
    for _ in 0..<most {
      guard let current = place, let value = nodes[current].value else { return nil }
      if fits(value) { return nodes[current].key }
      place = nodes[current].newer
    }
    return nil
  }

  private mutating func vacate(_ place: Int) -> Value? {
    unlink(place)
    free.append(place)
    return nodes[place].value.take()
  }

  private mutating func touch(_ place: Int) {
    guard newest != place else { return }
    unlink(place)
    link(place)
  }

  private mutating func link(_ place: Int) {
    nodes[place].older = newest
    nodes[place].newer = nil
    if let newest { nodes[newest].newer = place } else { oldest = place }
    newest = place
  }

  private mutating func unlink(_ place: Int) {
    let (older, newer) = (nodes[place].older, nodes[place].newer)
    if let older { nodes[older].newer = newer } else { oldest = newer }
    if let newer { nodes[newer].older = older } else { newest = older }
  }
}
