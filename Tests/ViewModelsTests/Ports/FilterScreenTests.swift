import Foundation
import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Port: a search with eight filters", .limitedConcurrency, .nothingSurvives)
struct FilterScreenTests {
    private struct Offline: Error {}

    /// Two pages for each filter, whose ids identify the filter; one keyword fails.
    private static let source = TripSource(
        search: { filter, page in
            if filter.keyword == "broken" { return .error(Offline()) }
            let seed = filter.keyword.count * 10 + (filter.region == nil ? 0 : 1_000) + filter.months.count * 100
            let trips = [Trip(id: seed + page), Trip(id: seed + page + 5)]
            return .just(TripPage(trips: trips, next: page == 0 ? 1 : nil))
        },
        like: { id, _ in id.isMultiple(of: 2) ? .empty() : .error(Offline()) })

    private static let actions: [FilterAction] = [
        .appeared, .reachedEnd, .reachedEnd, .keywordTyped("Jeju"), .keywordTyped("Jeju"), .likeTapped(40),
        .likeTapped(45),
        .regionTapped("south"), .themeTapped("food"), .peopleChosen(2), .transportTapped("bike"), .budgetChosen(100),
        .monthTapped(1), .monthTapped(2), .monthTapped(1), .photosSwitched(true), .reachedEnd, .keywordTyped("broken"),
        .regionTapped("south"), .resetTapped, .likeTapped(0), .likeTapped(99),
    ]

    @Test("the moved filter screen has the same state after each action as the class")
    func sameStates() {
        let before = FilterViewModel(source: Self.source)
        let after = FlowStore(FilterScreen(source: Self.source))
        for action in Self.actions {
            before.send(action)
            after.send(action)
            #expect(after.currentState == before.currentState, "after \(action)")
        }
        #expect(after.currentState.trips.map(\.isLiked) == [true, false])
    }

    @Test("the bodies of both filter screens are the same, word for word")
    func sameBodies() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "FilterScreen.swift")
        let bodies = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "// body begins").dropFirst()
            .map { $0.components(separatedBy: "// body ends")[0].replacing("override ", with: "") }
        #expect(bodies.count == 2)
        #expect(bodies.first == bodies.last)
    }

    @Test("each filter of the moved screen loads the first page with all active filters")
    func filters() {
        let tester = MutationTester(FilterScreen(source: Self.source))
        tester.send(.keywordTyped("Jeju"))
        tester.receive(where: { if case .filter = $0 { true } else { false } }) { $0.filter.keyword = "Jeju" }
        tester.receive(where: { if case .loading(true) = $0 { true } else { false } }) { $0.isLoading = true }
        tester.receive(where: { if case .first = $0 { true } else { false } }) {
            $0.trips = [Trip(id: 40), Trip(id: 45)]
            $0.next = 1
        }
        tester.receive(where: { if case .loading(false) = $0 { true } else { false } }) { $0.isLoading = false }
        tester.send(.keywordTyped("Jeju"))
        tester.finish()
    }
}
