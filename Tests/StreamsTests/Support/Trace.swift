import Streams
import Synchronization
import Testing

/// Fails the test unless the stream emits these events during subscription, in the notation of ``trace(of:)``.
func expect<Stream: ObservableConvertibleType>(
    _ stream: Stream, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
) { #expect(trace(of: stream) == words, sourceLocation: sourceLocation) }

/// The events that a stream emits during subscription, in the notation of the documentation: `1 2 |`, with `!` and the
/// error on failure.
func trace<Stream: ObservableConvertibleType>(of stream: Stream) -> String {
    let record = Record()
    stream.asObservable().subscribe { event in
        switch event {
        case .next(let element): record.add("\(element)")
        case .error(let error): record.add("!\(error)")
        case .completed: record.add("|")
        }
    }.dispose()
    return record.words.joined(separator: " ")
}

/// A list to which any thread can append.
final class Record: Sendable {
    private let list = Mutex<[String]>([])

    var words: [String] { list.withLock { $0 } }
    var text: String { words.joined(separator: " ") }

    func add(_ word: some Sendable) { list.withLock { $0.append("\(word)") } }
}

/// An element whose deinitializer calls a function.
final class Token: Sendable, Hashable, CustomStringConvertible {
    let number: Int
    private let onRelease: (@Sendable () -> Void)?

    init(_ number: Int, onRelease: (@Sendable () -> Void)? = nil) {
        self.number = number
        self.onRelease = onRelease
    }

    deinit {
        onRelease?()
    }

    var description: String { "\(number)" }

    static func == (lhs: Token, rhs: Token) -> Bool { lhs.number == rhs.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
