import TravelDomainTesting
import TravelTerminal

@MainActor
func printedWhileOffline() async -> String {
    let search = SearchTravels(travels: InterceptedStore.failing(), session: .signedOut)
    let view = SearchView(
        HomeViewModel(searchTravels: search, language: .english), format: .table, language: .english,
        limit: 10)
    do {
        return try await view.text(for: TravelCriteria())
    } catch {
        return "\((error as? ErrorMessage)?.text ?? "\(error)")"
    }
}

func contentOfAList() -> HomeContent {
    HomeContent(rows: [], phase: .failed(ErrorMessage("Offline.", canRetry: true)), hasMore: false)
}
