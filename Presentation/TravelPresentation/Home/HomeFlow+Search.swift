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
