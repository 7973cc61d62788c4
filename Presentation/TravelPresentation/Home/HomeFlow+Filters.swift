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
