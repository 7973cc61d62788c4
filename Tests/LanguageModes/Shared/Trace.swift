import Streams
import StreamsTesting
import Synchronization
import Testing

/// The events that a stream emits during subscription: `1 2 |`, with `!` and the error on failure.
nonisolated func trace<Stream: ObservableConvertibleType>(_ stream: Stream) -> String {
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

/// Fails the test unless the stream emits these events during subscription.
nonisolated func expect<Stream: ObservableConvertibleType>(
    _ stream: Stream, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    let trace = trace(stream)
    #expect(trace == words, sourceLocation: sourceLocation)
}

/// Fails the test unless the sequence emits exactly these elements, in virtual time, until it completes.
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

nonisolated enum Failure: Error {
    case expected
}

/// A list to which any thread can append.
nonisolated final class Record: Sendable {
    private let list = Mutex<[String]>([])

    var words: [String] { list.withLock { $0 } }
    var text: String { words.joined(separator: " ") }

    func add(_ word: String) { list.withLock { $0.append(word) } }

    func note(_ number: Int) { add("\(number)") }
}
