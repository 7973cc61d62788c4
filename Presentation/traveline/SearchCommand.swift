import TravelDomain
import TravelPresentation
import TravelTerminal

/// `traveline search`: prints the trips that meet the criteria.
struct SearchCommand {
    private let search: Command.Search

    init(_ search: Command.Search) {
        self.search = search
    }

    func run() async throws {
        let text = try await App.run(database: search.database) { app in
            let viewModel = HomeViewModel(
                searchTravels: SearchTravels(travels: app.travels, session: app.session), language: app.language)
            let view = await SearchView(
                viewModel, format: search.format, language: app.language, limit: search.limit)
            return try await view.text(for: search.criteria)
        }
        try Standard.write(text)
    }
}
