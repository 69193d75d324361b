import Calendars
import JSON

/// A page whose shows are schema.org's `ScreeningEvent`s in a script, and a list for people.
nonisolated extension OwnSite {
  func jsonLDPage() -> DemoDocument {
    let list = shownDays.filter { !$0.shows.isEmpty }.map { day -> Markup in
      let items = day.shows.map { show -> Markup in
        "<li>\(show.start.clock.description) <a href=\"\(ticketURL(show, day.date))\">\(show.title(at: cinema))</a></li>\n"
      }
      return "<h2>\(printed(day.date))</h2>\n<ul>\n\(items)</ul>\n"
    }
    let script: Markup =
      style.isRedesigned ? "" : "<script type=\"application/ld+json\">\(json: jsonLD)</script>\n"
    return page("\(script)\(list.isEmpty ? [nothing] : list)")
  }

  private var jsonLD: [UInt8] {
    var json = JSONWriter(escaping: .html, capacity: 32 << 10)
    json.object { json in
      json.field("@context", "https://schema.org")
      json.array("@graph") { json in
        json.object { json in
          writeTheatre(to: &json)
          json.field("url", "\(base)\(Self.path(of: cinema))")
          json.field("description", "DEMO: every listing on this page is invented.")
          writeClosedDays(to: &json)
        }
        for day in shownDays {
          for show in day.shows { write(show, day.date, to: &json) }
        }
      }
    }
    return json.bytes
  }

  private func writeTheatre(to json: inout JSONWriter) {
    json.field("@type", "MovieTheater")
    json.field("name", cinema.name)
    json.object("address") { json in
      json.field("@type", "PostalAddress")
      json.field("streetAddress", cinema.address)
      json.field("addressLocality", cinema.city)
      json.field("addressCountry", cinema.country)
    }
    json.object("geo") { json in
      json.field("@type", "GeoCoordinates")
      json.field("latitude", cinema.latitude)
      json.field("longitude", cinema.longitude)
    }
  }

  /// Opening and closing at midnight is how schema.org says closed.
  private func writeClosedDays(to json: inout JSONWriter) {
    let closed = days.filter(\.isClosed)
    guard !closed.isEmpty else { return }
    json.array("specialOpeningHoursSpecification") { json in
      for day in closed {
        json.object { json in
          json.field("@type", "OpeningHoursSpecification")
          json.field("validFrom", day.date.description)
          json.field("validThrough", day.date.description)
          json.field("opens", "00:00")
          json.field("closes", "00:00")
        }
      }
    }
  }

  private func write(_ show: Show, _ date: CivilDate, to json: inout JSONWriter) {
    json.object { json in
      json.field("@type", "ScreeningEvent")
      json.field("@id", ticketURL(show, date))
      json.field("name", show.title(at: cinema))
      json.field("startDate", instant(show, date).description)
      json.field("endDate", end(show, date).description)
      switch show.state {
      case .planned: json.field("eventStatus", "https://schema.org/EventScheduled")
      case .cancelled: json.field("eventStatus", "https://schema.org/EventCancelled")
      case .moved(let from):
        json.field("eventStatus", "https://schema.org/EventRescheduled")
        json.field("previousStartDate", stamp(ServiceTime(date, from)).description)
      }
      json.object("location") { json in
        guard namesScreens else { return writeTheatre(to: &json) }
        json.field("@type", "Place")
        json.field("name", screenName(show))
        json.object("containedInPlace") { json in writeTheatre(to: &json) }
      }
      json.object("workPresented") { json in write(show.film, to: &json) }
      if show.marks.contains(.restored) { json.field("videoFormat", "4K") }
      if show.marks.contains(.film35) { json.field("videoFormat", "35mm") }
      if show.marks.contains(.englishSubtitles) || show.marks.contains(.subtitled) {
        json.field("subtitleLanguage", "en")
      }
      json.object("offers") { json in
        json.field("@type", "Offer")
        json.field("url", ticketURL(show, date))
        json.field("availability", availability(show))
      }
    }
  }

  private func write(_ film: DemoFilm, to json: inout JSONWriter) {
    json.field("@type", "Movie")
    json.field("name", cinema.title(of: film))
    json.field("alternateName", ifPresent: cinema.otherTitle(of: film))
    json.field("dateCreated", film.released)
    json.field("duration", "PT\(film.minutes)M")
    json.field("inLanguage", film.language)
    json.field("contentRating", film.rating.british)
    json.field("image", posterURL(film))
    json.object("director") { json in
      json.field("@type", "Person")
      json.field("name", film.director)
    }
  }

  /// Half of the sites say on which screen a film is shown; for the others a place is the cinema.
  private var namesScreens: Bool { Hash.of(cinema.id).isMultiple(of: 2) }

  func availability(_ show: Show) -> String {
    if show.isSoldOut { return "https://schema.org/SoldOut" }
    return show.seatsLeft <= 5 ? "https://schema.org/LimitedAvailability" : "https://schema.org/InStock"
  }
}
