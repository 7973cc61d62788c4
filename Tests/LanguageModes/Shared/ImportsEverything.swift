// Every module beside the standard library's Observation, as an app with SwiftUI has them.
import Composition
import CompositionTesting
import ContractTesting
import Observation
import SQLiteStore
import SQLiteStoreTesting
import Streams
import StreamsTesting
import TestReporting
import Testing
import TravelDataFiles
import TravelDataInMemory
import TravelDataSQLite
import TravelDomain
import TravelDomainTesting
import TravelPages
import TravelPresentation
import TravelSamples
import TravelTerminal
import TravelTexts
import ViewModels
import ViewModelsTesting

@Observable
@MainActor
final class SearchModel {
    var titles: [String] = []
    @ObservationIgnored private let bag = DisposeBag()

    init(_ titles: Driver<[String]>) {
        titles.drive(with: self, onNext: { $0.titles = $1 }).disposed(by: bag)
    }
}

@Suite("With every module imported", .timeLimit(.minutes(5)))
struct ImportsEverything {
    @Test("an observable model follows a stream")
    @MainActor
    func observation() {
        let titles = BehaviorRelay(value: ["Jeju"])
        let model = SearchModel(titles.asDriver())
        let observed = Observed(titles.asDriver(), initially: [])
        #expect(model.titles == ["Jeju"])
        #expect(observed.value == ["Jeju"])
    }

    @Test("repositories are handed to use cases")
    func repositories() async throws {
        #expect(try await newestTitleOnDisk() == nil)
        #expect(try await newestTitleInMemory() == "jeju")
    }

    @Test("a store, a track, a list and a page are used as their landing pages show")
    func others() async throws {
        #expect(try await largestCities() == ["Seoul", "Busan"])
        #expect(try lengthOfTrack() == 2)
        #expect(messageOfAFailure() == "Offline. Try again.")
        #expect(listOfRegions([.jeju]).contains("<li>Jeju</li>"))
    }

    @Test("a screen is bound at the edge", .dependencies { $0.catalog.search = { [$0] } })
    @MainActor
    func screens() {
        let scheduler = TestScheduler()
        let screen = scheduler.perform { CatalogScreen() }
        _ = scheduler.perform { screen.store.send(.typed("Jeju")) }
        scheduler.run()
        #expect(screen.titles == ["Jeju"])
    }
}
