import JSON

/// The API's description as a page that needs no script.
nonisolated enum DocumentationPage {
  static func html(of document: JSONObject) -> String {
    var body = ""
    var last = ""
    let operations = (document["paths"]?.object ?? JSONObject()).flatMap { path, item in
      (item.object ?? JSONObject()).map { (path: path, method: $0.name, operation: $0.value) }
    }
    let topics = (document["tags"]?.array ?? []).compactMap { $0["name"]?.string }
    for topic in topics {
      for entry in operations where entry.operation["tags"]?[0]?.string == topic {
        if topic != last { body += "<h2 id=\"\(topic)\">\(topic)</h2>\n" }
        last = topic
        body += section(entry.path, entry.method, entry.operation)
      }
    }
    let navigation = topics.map { "<a href=\"#\($0)\">\($0)</a>" }.joined(separator: " · ")
    return """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>Odi API</title>
      <h1>Odi API \(escaped(document["info"]?["version"]?.string ?? ""))</h1>
      <p>\(escaped(document["info"]?["summary"]?.string ?? "")) Read by machines at
      <a href="/openapi.json">/openapi.json</a>.</p>
      <p>Lists are <code>{"data": […], "has_more", "next_cursor"}</code>. Errors are
      <code>application/problem+json</code> and name every wrong parameter. Times have the cinema's offset, and beside
      them the service date and the time as printed: half past midnight is 24:30 of the evening before.</p>
      <p>\(navigation)</p>
      \(body)</html>
      """
  }

  private static func section(_ path: String, _ method: String, _ operation: JSONValue) -> String {
    var text = "<h3><code>\(method.uppercased()) \(escaped(path))</code></h3>\n"
    text += "<p>\(escaped(operation["summary"]?.string ?? ""))"
    if operation["security"]?[0]?["session"] != nil { text += " Needs a session." }
    text += "</p>\n"
    let parameters = operation["parameters"]?.array ?? []
    guard !parameters.isEmpty else { return text }
    text += "<dl>\n"
    for parameter in parameters {
      let name = escaped(parameter["name"]?.string ?? "")
      let isRequired = parameter["required"]?.bool == true && parameter["in"]?.string != "path"
      text += "<dt><code>\(name)</code>\(isRequired ? " (required)" : "")"
      text += "<dd>\(escaped(parameter["description"]?.string ?? "")) \(words(parameter["schema"]))\n"
    }
    return text + "</dl>\n"
  }

  /// What a parameter may be, in a few words.
  private static func words(_ schema: JSONValue?) -> String {
    if let values = schema?["enum"]?.array ?? schema?["items"]?["enum"]?.array {
      return values.compactMap(\.string).map { "<code>\(escaped($0))</code>" }.joined(separator: ", ")
    }
    var parts: [String] = []
    if let least = schema?["minimum"], let most = schema?["maximum"] {
      parts.append("\(String(decoding: least.json, as: UTF8.self)) to \(String(decoding: most.json, as: UTF8.self))")
    }
    if let value = schema?["default"] {
      parts.append("default \(escaped(String(decoding: value.json, as: UTF8.self)))")
    }
    return parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))"
  }

  static func escaped(_ text: String) -> String {
    var html = HTMLWriter(capacity: text.utf8.count + 32)
    html.text(text)
    return String(decoding: html.bytes, as: UTF8.self)
  }
}
