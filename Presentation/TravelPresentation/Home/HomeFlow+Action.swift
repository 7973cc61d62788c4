extension HomeFlow {
    /// What the person does on the home screen, and the answers of its side effects.
    ///
    /// ```swift
    /// home.send(.searchOpened)
    /// home.send(.searchTyped("바다"))
    /// home.send(.searchSubmitted)
    /// home.currentState.criteria.keyword?.text    // "바다"
    /// ```
    public enum Action: Equatable, Sendable {
        // The list

        /// The screen appeared. Appearing again has no effect.
        case appeared
        /// A refresh was requested: loads the first page again.
        case refreshed
        /// The end of the list became visible.
        case reachedEnd
        /// The retry button was tapped, of the list or below it.
        case retryTapped
        /// The like button of a row was tapped.
        case likeTapped(Travel.ID)
        /// An order was picked: starts the list anew.
        case sortPicked(TravelSort)

        // Filters

        /// The chip of a filter was tapped: opens the sheet.
        case chipTapped(FilterKind)
        /// The filter of a chip was removed.
        case chipCleared(FilterKind)
        /// All filters were removed: starts the list anew.
        case filtersCleared
        /// Another filter was picked in the sheet.
        case sheetKindPicked(FilterKind)
        /// A value was tapped in the sheet.
        case sheetOptionTapped(FilterOption)
        /// All filters were removed in the sheet.
        case sheetCleared
        /// The sheet was applied: starts the list anew, and closes the sheet.
        case sheetApplied
        /// The sheet was closed without an effect.
        case sheetClosed

        // Search

        /// The search field received the focus: shows the recent keywords.
        case searchOpened
        /// The text of the field changed: suggests titles.
        case searchTyped(String)
        /// The text of the field was submitted; an empty one searches without a keyword.
        case searchSubmitted
        /// A recent keyword or a suggested title was picked.
        case keywordPicked(String)
        /// The filter that the typed text names was picked: chooses it instead of a keyword, and closes the field.
        case filterPicked(FilterOption)
        /// A keyword was removed from the recent ones.
        case keywordForgotten(Keyword)
        /// The keyword of the list was removed.
        case keywordCleared
        /// The search field was left without a search.
        case searchClosed

        // Other screens

        /// A row was tapped: opens the travel.
        case travelTapped(Travel.ID)
        /// The button for a new travel was tapped.
        case writeTapped
        /// The button for the page of the person was tapped.
        case myPageTapped
        /// The button for the settings was tapped.
        case settingsTapped
        /// A screen above closed and returned a result.
        case returned(ScreenResult)

        // Answers

        /// Another person is signed in, or nobody is.
        case personChanged(User?)
        /// The first page arrived, or arrived again after a change, or failed to load.
        case firstPageArrived(Travels.Request, Result<TravelPage, ScreenFailure>)
        /// A further page arrived, or failed to load.
        case pageArrived(Travels.Request, Result<TravelPage, ScreenFailure>)
        /// The request that sets a like succeeded or failed.
        case likeEnded(Travel.ID, Bool, Outcome)
        /// The suggestions for a text arrived, or failed to load.
        case suggested(String, Result<SuggestKeywords.Suggestions, ScreenFailure>)
        /// The recent keywords were saved, or saving them failed.
        case keywordsSaved(Outcome)
    }

    /// The work that the home screen requests of the domain.
    ///
    /// ```swift
    /// var state = flow.initialState
    /// flow.reduce(&state, .appeared)    // requests .watchPerson and .watchFirstPage
    /// ```
    public enum SideEffect: Equatable, Sendable {
        /// Observes which person is signed in, and emits each change.
        case watchPerson
        /// Loads the first page, and follows its changes.
        case watchFirstPage(Travels.Request)
        /// Loads the page after the cursor of the request.
        case loadPage(Travels.Request)
        /// Likes a travel, or takes the like back.
        case setLiked(Bool, Travel.ID)
        /// Suggests keywords for a text, or recent ones without a text.
        case suggest(String)
        /// Puts a keyword first among the recent ones.
        case remember(Keyword)
        /// Removes a keyword from the recent ones.
        case forget(Keyword)
    }
}
