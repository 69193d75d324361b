package import RPC

/// Every request of every service, for what treats them alike: tests, fuzzing, records.
package enum AllContracts {
  package static let requests: [any RPCRequest.Type] = [
    EraseUser.self, RotateFeedKey.self, UserOfFeedKey.self, ForgetViews.self, ImportItems.self, ItemChanges.self,
    ListItems.self, ListViews.self, MostSaved.self, OpenUser.self, BeginPairing.self, FinishPairing.self,
    ProfileOf.self, RecordViews.self, RemoveItem.self, RevokeTokens.self, SaveItem.self, SettingsOf.self,
    ChangeSettings.self, ListUsers.self, PruneUsers.self, BookmarkStatistics.self,
    CinemasByID.self, CinemasInBox.self, FindCinemas.self, FormerCinemas.self, ListCinemas.self,
    NearestCinemas.self, NearestPlaces.self, Regions.self,
    CinemaDays.self, DayProgrammes.self, FilmsByID.self, FilmsChanged.self, FilmsShowing.self, FindFilms.self,
    FindShowtimes.self,
    ReportProblem.self, ShowtimesByID.self, Sources.self,
    AddSite.self, ChangeSite.self, CloseReport.self, ExplainSite.self, ListHosts.self, ListReports.self, ListSites.self,
    ListVisits.self, MatchTitle.self, MergeFilms.self, PauseHost.self, PruneSnapshots.self, RobotsVerdict.self,
    ScrapingStatus.self, TestSite.self, UnmatchedTitles.self,
    LeaseSite.self, RenewLease.self, PublishReading.self, TakeHostTurn.self, EndHostTurn.self, LastAnswer.self,
    PackedSnapshot.self, KeepPage.self,
    ListCatalogue.self, SearchCatalogue.self, CatalogueFilms.self, SimilarFilms.self, MatchTitles.self,
    RecommendFilms.self, Genres.self, PersonByID.self, PosterOfFilm.self, PosterNames.self,
    ListStations.self, StationsByID.self, ResolveStation.self, NowPlaying.self,
    GatewayTraffic.self, EventStreams.self, CacheStatistics.self, PurgeCache.self, RequestLimits.self,
    UpstreamStates.self, SetMaintenance.self, FetchThroughGateway.self,
    ListFestivals.self, FestivalGrid.self, FindSessions.self, SessionsByID.self, FloorPlan.self, ExportFestival.self,
    CheckInTicket.self, ReadCodes.self,
    FindRestaurants.self, RestaurantsByID.self, DiningVocabulary.self, DinnerPlaces.self,
    SavePlan.self, PlanOf.self, ListPlans.self, RemovePlan.self, SharedPlan.self,
  ]

  package static let streams: [any RPCStreamRequest.Type] = [
    ExportUser.self, WatchItems.self,
    DirectoryChanges.self,
    ScheduleEvents.self, ReadSnapshot.self, RunSites.self,
    CatalogueChanges.self,
    StationAudio.self,
    TailEvents.self,
    FestivalChanges.self,
  ]
}
