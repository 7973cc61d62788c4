import Streams
import Synchronization

/// What a stream says while it is being subscribed to, in the notation of the documentation: `1 2 |`, with `!` and the
/// error where it fails.
func said<Element: Sendable>(by stream: Observable<Element>) -> String {
    let record = Record()
    stream.subscribe { event in
        switch event {
        case .next(let element): record.add("\(element)")
        case .error(let error): record.add("!\(error)")
        case .completed: record.add("|")
        }
    }.dispose()
    return record.words.joined(separator: " ")
}

/// A list that grows from any thread.
final class Record: Sendable {
    private let list = Mutex<[String]>([])

    var words: [String] { list.withLock { $0 } }
    var text: String { words.joined(separator: " ") }

    func add(_ word: some Sendable) {
        list.withLock { $0.append("\(word)") }
    }
}

/// An element whose release can be observed, and may do something.
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

    func hash(into hasher: inout Hasher) {
        hasher.combine(number)
    }
}
