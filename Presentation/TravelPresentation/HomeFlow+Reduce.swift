extension HomeFlow {
    /// Changes the state for an action, and returns the side effects and events that follow from it.
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .appeared:
            guard state.travels.query == nil else { return .none }
            return .exhausting(.watchPerson).and(state.load())
        case .refreshed: return request(state.travels.refresh())
        case .reachedEnd: return request(state.travels.reachEnd())
        case .retryTapped: return request(state.travels.retry())
        case .firstPageArrived(let request, let result): return state.showFirstPage(result, of: request)
        case .pageArrived(let request, let result):
            state.travels.receive(state.cards(result), of: request)
            return .none
        case .personChanged(let person): return state.change(to: person)
        case .likeTapped(let id): return state.like(id)
        case .likeEnded(let id, let isLiked, let outcome): return state.endLike(id, isLiked, outcome)
        case .travelTapped(let id): return .event(.open(.travel(id)))
        case .writeTapped: return .event(.open(.newTravel))
        case .myPageTapped: return .event(.open(.myPage))
        case .settingsTapped: return .event(.open(.settings))
        case .returned(.removedTravel(let id)):
            state.travels.remove(id)
            // Without rows, there is no end that could become visible.
            return state.travels.list.items.isEmpty ? request(state.travels.reachEnd()) : .none
        case .returned: return .none
        case .sortPicked, .chipTapped, .chipCleared, .filtersCleared, .sheetKindPicked, .sheetOptionTapped,
            .sheetCleared, .sheetApplied, .sheetClosed:
            return state.filter(action)
        case .searchOpened, .searchTyped, .searchSubmitted, .keywordPicked, .filterPicked, .keywordForgotten,
            .keywordCleared, .searchClosed, .suggested, .keywordsSaved:
            return state.search(action)
        }
    }

    private func request(_ request: Travels.Request?) -> Next<SideEffect, ScreenEvent> {
        guard let request else { return .none }
        guard request.cursor == nil else { return .latest(.loadPage(request)) }
        return .latest(.watchFirstPage(request)).and(.cancel(kindOf: .loadPage(request)))
    }
}

extension HomeFlow.State {
    typealias Requests = Next<HomeFlow.SideEffect, ScreenEvent>

    /// Starts the list anew, with the current criteria.
    mutating func load() -> Requests {
        guard let query else {
            // The scope needs a person: the list waits until one is signed in.
            let request = travels.show(criteria)
            travels = .init()
            return .cancel(kindOf: .watchFirstPage(request)).and(.cancel(kindOf: .loadPage(request)))
        }
        let request = travels.show(query)
        return .latest(.watchFirstPage(request)).and(.cancel(kindOf: .loadPage(request)))
    }

    /// The criteria with the scope; `nil` while the person of the scope is unknown or nobody is signed in.
    private var query: TravelCriteria? {
        guard scope != .all else { return criteria }
        guard let person else { return nil }
        var query = criteria
        if scope == .mine { query.author = person.id } else { query.likedBy = person.id }
        return query
    }

    fileprivate mutating func change(to person: User?) -> Requests {
        let wasKnown = knowsPerson
        let isSame = person?.id == self.person?.id
        self.person = person
        knowsPerson = true
        // The first answer names the viewer of the page that is being loaded already, unless the list has waited for
        // it.
        guard wasKnown ? !isSame : travels.query == nil else { return .none }
        let pending = likes.cancel()
        return pending.reduce(load()) { $0.and(.cancel($1)) }
    }

    // MARK: Pages

    fileprivate mutating func showFirstPage(
        _ result: Result<TravelPage, ScreenFailure>, of request: HomeFlow.Travels.Request
    ) -> Requests {
        let isRefresh = travels.list.phase == .loading(.refresh)
        let cards = cards(result)
        if travels.receive(cards, of: request) {
            // Without rows, the failure is the content.
            guard isRefresh, !travels.list.items.isEmpty, case .failure(let failure) = result else { return .none }
            return .event(.notice(.failed(failure)))
        }
        switch cards {
        case .success(let page):
            guard let last = page.items.last?.travel else {
                travels.merge(page) { _ in false }
                return .none
            }
            travels.merge(page) { [sort = criteria.sort] in sort.precedes(last, $0.shown) }
            return .none
        case .failure(let failure):
            // The list stays, and a refresh follows it again.
            return .event(.notice(.failed(failure)))
        }
    }

    fileprivate func cards(
        _ result: Result<TravelPage, ScreenFailure>
    ) -> Result<CursorPage<TravelCard, TravelCursor>, ScreenFailure> {
        result.map { page in
            CursorPage(page.travels.map { TravelCard($0, wanted: likes.wanted($0.id)) }, next: page.next)
        }
    }

    // MARK: Likes

    fileprivate mutating func like(_ id: Travel.ID) -> Requests {
        guard person != nil else { return .event(.open(.signIn)) }
        guard let card = travels.list.items.first(where: { $0.id == id }) else { return .none }
        let wanted = !card.like.isLiked
        travels.update(id) { $0.show(wanted) }
        return likes.want(wanted, id) ? .inOrder(.setLiked(wanted, id), id: id) : .none
    }

    fileprivate mutating func endLike(_ id: Travel.ID, _ isLiked: Bool, _ outcome: Outcome) -> Requests {
        let end = likes.finish(id, succeeded: outcome == .done)
        travels.update(id) { card in
            if outcome == .done { card.store(isLiked) }
            if case .send(let wanted) = end { card.show(wanted) } else { card.rollBack() }
        }
        switch end {
        case .settled: return .none
        case .send(let wanted): return .inOrder(.setLiked(wanted, id), id: id)
        case .rolledBack: return outcome.failure.map { .event(.notice(.failed($0))) } ?? .none
        }
    }
}

extension HomeFlow.State {
    /// Changes the search field, or searches.
    mutating func search(_ action: HomeFlow.Action) -> Requests {
        switch action {
        case .searchOpened:
            if search.isActive { return .none }
            search = .init(isActive: true, text: criteria.keyword?.text ?? "")
            return .latest(.suggest(search.text))
        case .searchTyped(let text):
            guard text != search.text || !search.isActive else { return .none }
            let isEmpty = Keyword(text) == nil
            if isEmpty != (Keyword(search.text) == nil) { search.suggestions = nil }
            search.isActive = true
            search.text = text
            search.failure = nil
            return isEmpty ? .latest(.suggest(text)) : .latest(.suggest(text), after: HomeFlow.typingPause)
        case .suggested(let text, let result):
            guard search.isActive, text == search.text else { return .none }
            switch result {
            case .success(let suggestions): (search.suggestions, search.failure) = (suggestions, nil)
            case .failure(let failure): (search.suggestions, search.failure) = (nil, failure)
            }
            return .none
        case .searchSubmitted: return find(Keyword(search.text))
        case .keywordPicked(let text): return find(Keyword(text))
        case .filterPicked(let option):
            search = .init()
            // A keyword that names the same filter has done its work.
            if let keyword = criteria.keyword, Region(namedBy: keyword).map(FilterOption.region) == option {
                criteria.keyword = nil
            }
            if !criteria.contains(option) { criteria.toggle(option) }
            return Requests.cancel(kindOf: .suggest("")).and(load())
        case .keywordCleared: return find(nil)
        case .searchClosed:
            search = .init()
            return .cancel(kindOf: .suggest(""))
        case .keywordForgotten(let keyword):
            if case .recent(var keywords) = search.suggestions {
                keywords.removeAll { $0.folded == keyword.folded }
                search.suggestions = .recent(keywords)
            }
            return .inOrder(.forget(keyword), id: "recent keywords")
        case .keywordsSaved(.done): return .none
        case .keywordsSaved(.failed(let failure)):
            let notice = Requests.event(.notice(.failed(failure)))
            // The keyword that was removed optimistically is still stored.
            guard search.isActive, Keyword(search.text) == nil else { return notice }
            return notice.and(.latest(.suggest(search.text)))
        default: return .none
        }
    }

    /// Searches for a keyword, or without one, and adds it to the recent keywords.
    private mutating func find(_ keyword: Keyword?) -> Requests {
        search = .init()
        criteria.keyword = keyword
        let requests = Requests.cancel(kindOf: .suggest("")).and(load())
        return keyword.map { requests.and(.inOrder(.remember($0), id: "recent keywords")) } ?? requests
    }
}

extension HomeFlow.State {
    /// Changes the filters or the order. What applies starts the list anew; the rest stays in the sheet.
    mutating func filter(_ action: HomeFlow.Action) -> Requests {
        var criteria = criteria
        switch action {
        case .sortPicked(let sort): criteria.sort = sort
        case .chipCleared(let kind): criteria.clear(kind)
        case .filtersCleared: criteria.clearFilters()
        case .sheetApplied:
            guard let sheet else { return .none }
            self.sheet = nil
            criteria = sheet.criteria
        case .chipTapped(let kind):
            if sheet == nil { sheet = .init(kind: kind, criteria: criteria) } else { sheet?.kind = kind }
            return .none
        case .sheetKindPicked(let kind):
            sheet?.kind = kind
            return .none
        case .sheetOptionTapped(let option):
            sheet?.criteria.toggle(option)
            return .none
        case .sheetCleared:
            sheet?.criteria.clearFilters()
            return .none
        case .sheetClosed:
            sheet = nil
            return .none
        default: return .none
        }
        guard criteria != self.criteria else { return .none }
        self.criteria = criteria
        return load()
    }
}
