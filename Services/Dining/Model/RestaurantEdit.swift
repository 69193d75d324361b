package import Clocks
package import Contracts
package import Drafts

/// One change that an administrator made: which restaurant, by whom, and which fields are others than before.
nonisolated package struct RestaurantEdit: Codable, Hashable, Sendable {
  /// 0 for one that was not made.
  package var revision: Int64
  package var at: WallTime
  package var editor: String
  package var restaurant: RestaurantID
  package var kind: EditKind
  /// Names of columns.
  package var fields: [String]
}

nonisolated extension RestaurantEdit {
  /// What makes one state of a restaurant out of another; nil if they are the same.
  init?(of old: Restaurant?, to new: Restaurant?, by editor: String, at time: WallTime) {
    guard old != new, let id = new?.id ?? old?.id else { return nil }
    fields = RestaurantField.allCases.compactMap { field in
      old.flatMap(field.text) == new.flatMap(field.text) ? nil : field.rawValue
    }
    fields += RestaurantFeature.allCases.compactMap { feature in
      old?.note(feature) == new?.note(feature) ? nil : feature.rawValue
    }
    revision = 0
    at = time
    self.editor = editor
    restaurant = id
    kind = EditKind(of: old, to: new)
  }
}

nonisolated extension Restaurant {
  func note(_ feature: RestaurantFeature) -> FeatureNote? { features.first { $0.feature == feature } }
}
