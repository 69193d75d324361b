import Calendars

/// A page whose shows are schema.org's `ScreeningEvent`s in its attributes.
nonisolated extension OwnSite {
  func microdataPage() -> DemoDocument {
    let sections = shownDays.map { day -> Markup in
      let closed: Markup = day.isClosed ? "<p class=\"closed\">Closed</p>\n" : ""
      let articles = day.shows.map { article($0, day.date) }
      return "<section class=\"day\"><h2>\(printed(day.date))</h2>\n\(closed)\(articles)</section>\n"
    }
    return page(Markup(joining: sections.isEmpty ? [nothing] : sections))
  }

  private func article(_ show: Show, _ date: CivilDate) -> Markup {
    if style.isRedesigned {
      return """
        <div class="card"><b>\(show.title(at: cinema))</b> <i>\(show.start.clock.description)</i></div>

        """
    }
    let status: Markup =
      switch show.state {
      case .planned: "<link itemprop=\"eventStatus\" href=\"https://schema.org/EventScheduled\">"
      case .cancelled: "<link itemprop=\"eventStatus\" href=\"https://schema.org/EventCancelled\">"
      case .moved(let from):
        """
        <link itemprop="eventStatus" href="https://schema.org/EventRescheduled">\
        <meta itemprop="previousStartDate" content="\(stamp(ServiceTime(date, from)).description)">
        """
      }
    let otherName: Markup =
      cinema.otherTitle(of: show.film).map { "<meta itemprop=\"alternateName\" content=\"\($0)\">" } ?? ""
    let note: Markup = note(show).map { "<span class=\"note\">\($0)</span>" } ?? ""
    return """
      <article itemscope itemtype="https://schema.org/ScreeningEvent" itemid="\(ticketURL(show, date))">
      <h3 itemprop="name">\(show.title(at: cinema))</h3>
      <time itemprop="startDate" datetime="\(instant(show, date).description)">\(show.start.clock.description)</time>
      <meta itemprop="endDate" content="\(end(show, date).description)">
      \(status)
      <div itemprop="location" itemscope itemtype="https://schema.org/MovieTheater">\
      <span itemprop="name">\(cinema.name)</span>, <span class="screen">\(screenName(show))</span>\
      <meta itemprop="address" content="\(cinema.address)"></div>
      <div itemprop="workPresented" itemscope itemtype="https://schema.org/Movie">\
      <meta itemprop="name" content="\(cinema.title(of: show.film))">\(otherName)\
      <span itemprop="duration" content="PT\(show.film.minutes)M">\(show.film.minutes) min</span>\
      <meta itemprop="dateCreated" content="\(show.film.released)">\
      <meta itemprop="image" content="\(posterURL(show.film))"></div>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">\
      <link itemprop="availability" href="\(availability(show))">\
      <a itemprop="url" href="\(ticketURL(show, date))">Tickets</a> \(note)</div>
      </article>

      """
  }
}
