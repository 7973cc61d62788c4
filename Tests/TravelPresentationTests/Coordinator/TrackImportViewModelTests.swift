import Foundation
import StreamsTesting
import TestConcurrency
import Testing
import TravelDomainTesting
import ViewModelsTesting

@testable import TravelPresentation

@Suite("Import of track files", .limitedConcurrency)
struct TrackImportViewModelTests {
    /// An app whose imports take 100 ms.
    private struct Run {
        let scheduler = TestScheduler(resolution: 0.001)
        let working: Recorder<[String]>
        let events: Recorder<ScreenEvent>
        let imported: Recorder<String>
        private let filePicked = PublishRelay<PickedFile>()
        private let bag = DisposeBag()

        init(_ importTrack: @escaping @Sendable (String) throws -> ImportedTrip) {
            let imported = Recorder<String>()
            self.imported = imported
            (working, events) = SharingScheduler.mock(scheduler: scheduler) { [scheduler, filePicked, bag] in
                withDependencies {
                    $0.useVirtualTime(of: scheduler)
                } operation: {
                    let output = TrackImportViewModel { file in
                        imported.add(file.name)
                        try await scheduler.virtualClock.sleep(for: .milliseconds(100))
                        return try importTrack(file.name)
                    }.transform(.init(filePicked: filePicked.asObservable()))
                    return scheduler.perform { (output.working.recorded(bag), output.events.recorded(bag)) }
                }
            }
        }

        func pick(_ names: String..., for milliseconds: Int) {
            withDependencies {
                $0.useVirtualTime(of: scheduler)
            } operation: {
                for name in names { scheduler.perform { filePicked.accept(PickedFile(name: name, bytes: Data())) } }
                scheduler.advance(by: .milliseconds(milliseconds))
            }
        }
    }

    private let trip = Trip.ID(seed: 1)

    @Test("a file becomes a trip, which opens, with a notice of what was guessed")
    func imported() {
        let run = Run { [trip] _ in
            ImportedTrip(trip, isNew: true, notes: [Text("The day is a guess.", "날짜를 추정했습니다."), Text("b", "나")])
        }
        run.pick("walk.gpx", for: 50)
        #expect(run.working.all == [[], ["walk.gpx"]] && run.events.all.isEmpty)
        run.pick(for: 100)
        #expect(run.working.all.last == [])
        let notice = Notice.done(
            Text("walk.gpx is now a trip. The day is a guess. b", "walk.gpx: 여행으로 가져왔습니다. 날짜를 추정했습니다. 나"))
        #expect(run.events.all == [.open(.trip(trip)), .notice(notice)])
    }

    @Test("files are imported one after another, and one that fails is named and stops none")
    func several() {
        let run = Run { [trip] name in
            switch name {
            case "a.gpx": throw ScreenFailure.file("a.gpx", Text("it contains no points", "기록된 지점이 없습니다"))
            case "b.gpx": throw TravelError.busy
            default: ImportedTrip(trip, isNew: true)
            }
        }
        run.pick("a.gpx", "b.gpx", "c.gpx", for: 50)
        #expect(run.imported.all == ["a.gpx"] && run.working.all.last == ["a.gpx", "b.gpx", "c.gpx"])
        run.pick(for: 100)
        #expect(run.imported.all == ["a.gpx", "b.gpx"] && run.working.all.last == ["b.gpx", "c.gpx"])
        run.pick(for: 250)
        #expect(run.working.all.last == [])
        let texts = run.events.all.compactMap {
            if case .notice(let notice) = $0 { notice.text(in: .english) } else { nil }
        }
        #expect(
            texts == ["a.gpx: it contains no points", "b.gpx: The store is busy. Try again.", "c.gpx is now a trip."])
        #expect(run.events.all.filter { $0 == .open(.trip(trip)) }.count == 1)
    }

    @Test("a track that was imported before opens the trip that it has become")
    func again() {
        let run = Run { [trip] _ in ImportedTrip(trip, isNew: false) }
        run.pick("walk.gpx", for: 150)
        #expect(run.events.all.first == .open(.trip(trip)))
        #expect(
            run.events.all.last
                == .notice(
                    .done(
                        Text(
                            "walk.gpx was imported before: this is its trip.",
                            "walk.gpx: 이미 가져온 기록입니다. 그 여행을 열었습니다."))))
    }
}
