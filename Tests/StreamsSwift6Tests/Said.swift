import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

/// What a stream says while it is being subscribed to: `1 2 |`, with `!` and the error where it fails.
nonisolated func said<Stream: ObservableConvertibleType>(_ stream: Stream) -> String {
    let record = Record()
    let subscription = stream.asObservable().subscribe { event in
        switch event {
        case .next(let element): record.add("\(element)")
        case .error(let error): record.add("!\(error)")
        case .completed: record.add("|")
        }
    }
    subscription.dispose()
    return record.text
}

/// Fails the test unless that is what the stream says while it is being subscribed to.
nonisolated func expect<Stream: ObservableConvertibleType>(
    _ stream: Stream, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    let said = said(stream)
    #expect(said == words, sourceLocation: sourceLocation)
}

/// Fails the test unless the elements that the sequence has until it completes, in virtual time, are these.
@MainActor
func expectElements<Strategy, Element: Sendable>(
    _ sequence: @autoclosure () -> SharedSequence<Strategy, Element>, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let scheduler = TestScheduler(initialClock: 0)
    let observer = scheduler.createObserver(Element.self)
    SharingScheduler.mock(scheduler: scheduler) {
        let subscription = sequence().asObservable().subscribe(observer)
        scheduler.start()
        subscription.dispose()
    }
    let elements = observer.events.compactMap(\.value.element).map { "\($0)" }.joined(separator: " ")
    #expect(elements == words, sourceLocation: sourceLocation)
    #expect(observer.events.last?.value.isCompleted == true, sourceLocation: sourceLocation)
}

/// Returns when the main queue has done what it was given before: binders bind at once only while no one else has given
/// it work, as tests that run at the same time do.
nonisolated func mainQueue() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}

nonisolated enum Failure: Error {
    case expected
}

/// A list that grows from any thread.
nonisolated final class Record: Sendable {
    private let list = Mutex<[String]>([])

    var words: [String] { list.withLock { $0 } }
    var text: String { words.joined(separator: " ") }

    func add(_ word: String) { list.withLock { $0.append(word) } }

    func note(_ number: Int) { add("\(number)") }
}

/// A view, which belongs to the main actor.
@MainActor
final class Label {
    var text = ""
    var number: Int?
    var isHidden = false
}
