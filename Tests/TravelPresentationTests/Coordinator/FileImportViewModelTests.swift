import Foundation
import StreamsTesting
import TestConcurrency
import Testing
import TravelDomainTesting
import ViewModelsTesting

@testable import TravelPresentation

@Suite("Import of files", .limitedConcurrency)
struct FileImportViewModelTests {
    /// An app whose imports take 100 ms.
    private struct Run {
        let scheduler = TestScheduler(resolution: 0.001)
        let working: Recorder<[Text]>
        let events: Recorder<ScreenEvent>
        let imported: Recorder<[String]>
        private let filesPicked = PublishRelay<PickedFiles>()
        private let cancelTapped = PublishRelay<Void>()
        private let bag = DisposeBag()

        init(_ importFiles: @escaping @Sendable (PickedFiles) throws -> ImportedTrip) {
            let imported = Recorder<[String]>()
            self.imported = imported
            (working, events) = SharingScheduler.mock(scheduler: scheduler) {
                [scheduler, filesPicked, cancelTapped, bag] in
                withDependencies {
                    $0.useVirtualTime(of: scheduler)
                } operation: {
                    let output = FileImportViewModel { files in
                        imported.add(files.files.map(\.name))
                        try await scheduler.virtualClock.sleep(for: .milliseconds(100))
                        return try importFiles(files)
                    }.transform(
                        .init(filesPicked: filesPicked.asObservable(), cancelTapped: cancelTapped.asObservable()))
                    return scheduler.perform { (output.working.recorded(bag), output.events.recorded(bag)) }
                }
            }
        }

        func pick(_ names: String..., into trip: Trip.ID? = nil) {
            withDependencies {
                $0.useVirtualTime(of: scheduler)
            } operation: {
                let files = PickedFiles(names.map { PickedFile(name: $0, bytes: Data()) }, into: trip)
                scheduler.perform { filesPicked.accept(files) }
            }
        }

        func cancel() {
            withDependencies {
                $0.useVirtualTime(of: scheduler)
            } operation: {
                scheduler.perform { cancelTapped.accept(()) }
            }
        }

        func wait(_ milliseconds: Int) {
            withDependencies {
                $0.useVirtualTime(of: scheduler)
            } operation: {
                scheduler.advance(by: .milliseconds(milliseconds))
            }
        }

        var texts: [String] {
            events.all.compactMap { if case .notice(let notice) = $0 { notice.text(in: .english) } else { nil } }
        }
    }

    private let trip = Trip.ID(seed: 1)

    @Test("a file becomes a trip, which opens, with a notice of what was guessed")
    func imported() {
        let run = Run { [trip] _ in
            ImportedTrip(trip, .made, notes: [Text("The day is a guess.", "날짜를 추정했습니다."), Text("b", "나")])
        }
        run.pick("walk.gpx")
        run.wait(50)
        #expect(run.working.all == [[], [Text("walk.gpx", "walk.gpx")]] && run.events.all.isEmpty)
        run.wait(100)
        #expect(run.working.all.last == [])
        let notice = Notice.done(
            Text("Made a trip of walk.gpx. The day is a guess. b", "walk.gpx: 여행으로 가져왔습니다. 날짜를 추정했습니다. 나"))
        #expect(run.events.all == [.open(.trip(trip)), .notice(notice)])
    }

    @Test("files that are picked together are one import, and those that are left out are named with their reasons")
    func together() {
        let run = Run { [trip] _ in
            let (day, format) = (Text("it is of other days", "다른 날입니다"), Text("it is no track", "이동 기록이 아닙니다"))
            let names = (1...7).map { LeftOutFile("\($0).jpg", day) }
            return ImportedTrip(trip, .made, leftOut: names + [LeftOutFile("a.txt", format)])
        }
        run.pick("1.jpg", "2.jpg", "a.txt")
        run.wait(50)
        #expect(run.working.all.last == [Text("3 files", "파일 3개")])
        run.wait(100)
        #expect(run.imported.all == [["1.jpg", "2.jpg", "a.txt"]])
        #expect(
            run.texts == [
                "Made a trip of 3 files.",
                "1.jpg, 2.jpg, 3.jpg, 4.jpg, 5.jpg, …: it is of other days; a.txt: it is no track",
            ])
        #expect(run.events.all.first == .open(.trip(trip)))
    }

    @Test("nothing picked is no import")
    func none() {
        let run = Run { [trip] _ in ImportedTrip(trip, .made) }
        run.pick()
        run.wait(200)
        #expect(run.imported.all.isEmpty && run.events.all.isEmpty && run.working.all == [[]])
    }

    @Test("imports are done one after another, and one that fails says why and stops none")
    func several() {
        let run = Run { [trip] files in
            switch files.files[0].name {
            case "a.gpx": throw ScreenFailure.file("a.gpx", Text("it contains no points", "기록된 지점이 없습니다"))
            case "b.gpx": throw TravelError.busy
            default: ImportedTrip(trip, .made)
            }
        }
        run.pick("a.gpx")
        run.pick("b.gpx")
        run.pick("b.gpx", "x.jpg")
        run.pick("c.gpx")
        run.wait(50)
        #expect(run.imported.all == [["a.gpx"]])
        #expect(run.working.all.last?.map(\.english) == ["a.gpx", "b.gpx", "2 files", "c.gpx"])
        run.wait(100)
        #expect(run.imported.all == [["a.gpx"], ["b.gpx"]] && run.working.all.last?.count == 3)
        run.wait(350)
        #expect(run.working.all.last == [])
        #expect(
            run.texts == [
                "a.gpx: it contains no points", "b.gpx: The store is busy. Try again.", "The store is busy. Try again.",
                "Made a trip of c.gpx.",
            ])
        #expect(run.events.all.filter { $0 == .open(.trip(trip)) }.count == 1)
    }

    @Test("cancelling ends the import that is being done and those that wait, and says that what is stored stays")
    func cancelled() {
        let run = Run { [trip] _ in ImportedTrip(trip, .made) }
        run.pick("a.gpx")
        run.pick("1.jpg", "2.jpg")
        run.wait(50)
        run.cancel()
        run.wait(300)
        #expect(run.imported.all == [["a.gpx"]] && run.working.all.last == [])
        #expect(
            run.texts == [
                """
                Cancelled the import of a.gpx, 2 files. What it had stored stays. Import the files again to add the rest.
                """
            ])
        #expect(run.events.all.count == 1)
        run.pick("b.gpx")
        run.wait(150)
        #expect(run.imported.all == [["a.gpx"], ["b.gpx"]] && run.texts.last == "Made a trip of b.gpx.")
    }

    @Test("cancelling without an import says nothing")
    func cancelledWithout() {
        let run = Run { [trip] _ in ImportedTrip(trip, .made) }
        run.cancel()
        run.pick("a.gpx")
        run.wait(150)
        run.cancel()
        run.wait(50)
        #expect(run.texts == ["Made a trip of a.gpx."] && run.working.all.last == [])
    }

    @Test("files that were imported before open the trip that they have become")
    func again() {
        let run = Run { [trip] _ in ImportedTrip(trip, .unchanged) }
        run.pick("walk.gpx")
        run.wait(150)
        let text = Text("Imported before: this is the trip of walk.gpx.", "walk.gpx: 이미 가져온 파일입니다. 그 여행을 열었습니다.")
        #expect(run.events.all == [.open(.trip(trip)), .notice(.done(text))])
    }

    @Test("files that are added to a trip open nothing, and it is said when the trip had them")
    func intoTrip() {
        let run = Run { [trip] files in
            #expect(files.trip == trip)
            return ImportedTrip(trip, files.files.count == 1 ? .unchanged : .extended)
        }
        run.pick("walk.gpx", "1.jpg", into: trip)
        run.pick("walk.gpx", into: trip)
        run.wait(250)
        #expect(
            run.events.all == [
                .notice(.done(Text("Added to the trip: 2 files.", "파일 2개: 여행에 더했습니다."))),
                .notice(
                    .done(
                        Text(
                            "Nothing new: the trip has walk.gpx already.",
                            "walk.gpx: 이미 이 여행에 있어 더한 것이 없습니다."))),
            ])
    }

    @Test("the trip that has the files already opens in place of the one to which they were to be added")
    func elsewhere() {
        let other = Trip.ID(seed: 2)
        let run = Run { _ in ImportedTrip(other, .unchanged, notes: [Text("It is “Busan”.", "'부산'입니다.")]) }
        run.pick("walk.gpx", into: trip)
        run.wait(150)
        #expect(run.events.all.first == .open(.trip(other)))
        #expect(run.texts == ["Imported before: this is the trip of walk.gpx. It is “Busan”."])
    }
}
