extension HomeFlow {
    /// What happens to the home screen.
    public enum Action: Equatable, Sendable {
        // The list

        /// The screen appeared. Appearing again has no effect.
        case appeared
        /// The list was pulled to refresh.
        case refreshed
        /// The end of the list became visible.
        case reachedEnd
        /// The retry button was tapped, of the list or below it.
        case retryTapped
        /// The like button of a row was tapped.
        case likeTapped(Travel.ID)
        /// An order was picked.
        case sortPicked(TravelSort)

        // Filters

        /// The chip of a filter was tapped: opens the sheet.
        case chipTapped(FilterKind)
        /// The filter of a chip was removed.
        case chipCleared(FilterKind)
        /// All filters were removed.
        case filtersCleared
        /// Another filter was picked in the sheet.
        case sheetKindPicked(FilterKind)
        /// A value was tapped in the sheet.
        case sheetOptionTapped(FilterOption)
        /// All filters were removed in the sheet.
        case sheetCleared
        /// The sheet was applied.
        case sheetApplied
        /// The sheet was closed without an effect.
        case sheetClosed

        // Search

        /// The search field received the focus.
        case searchOpened
        /// The text of the field changed.
        case searchTyped(String)
        /// The text of the field was submitted; an empty one searches without a keyword.
        case searchSubmitted
        /// A recent keyword or a suggested title was picked.
        case keywordPicked(String)
        /// A recent keyword was removed.
        case keywordForgotten(Keyword)
        /// The keyword of the list was removed.
        case keywordCleared
        /// The search field was left without a search.
        case searchClosed

        // Other screens

        /// A row was tapped.
        case travelTapped(Travel.ID)
        /// The button for a new travel was tapped.
        case writeTapped
        /// The button for the page of the person was tapped.
        case myPageTapped
        /// The button for the settings was tapped.
        case settingsTapped
        /// A screen above returned a result.
        case returned(ScreenResult)

        // Answers

        /// Somebody is signed in, or nobody.
        case personChanged(User?)
        /// The first page, or the first page again after a change.
        case firstPageArrived(Travels.Request, Result<TravelPage, ScreenFailure>)
        /// A further page.
        case pageArrived(Travels.Request, Result<TravelPage, ScreenFailure>)
        /// The request for a like ended.
        case likeEnded(Travel.ID, Bool, Outcome)
        /// The suggestions for a text.
        case suggested(String, Result<SuggestKeywords.Suggestions, ScreenFailure>)
        /// The recent keywords were saved.
        case keywordsSaved(Outcome)
    }

    /// What the home screen asks for.
    public enum SideEffect: Equatable, Sendable {
        /// Follows who is signed in.
        case watchPerson
        /// Loads the first page, and follows its changes.
        case watchFirstPage(Travels.Request)
        /// Loads a further page.
        case loadPage(Travels.Request)
        /// Likes a travel, or takes the like back.
        case setLiked(Bool, Travel.ID)
        /// Suggests keywords for a text.
        case suggest(String)
        /// Puts a keyword first among the recent ones.
        case remember(Keyword)
        /// Removes a keyword from the recent ones.
        case forget(Keyword)
    }
}
