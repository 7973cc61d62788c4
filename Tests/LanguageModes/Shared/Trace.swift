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
