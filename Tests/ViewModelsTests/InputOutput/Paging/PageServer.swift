import Streams
import StreamsTesting
import Synchronization
import ViewModels

/// The server's answer to a request.
struct Answer: Sendable {
    var items: [Int] = []
    var next: Int?
    var fails = false
    /// In ticks.
    var delay = 100

    static func page(_ items: some Sequence<Int>, next: Int? = nil, after delay: Int = 100) -> Answer {
        Answer(items: Array(items), next: next, delay: delay)
    }

    static func failure(after delay: Int = 100) -> Answer { Answer(fails: true, delay: delay) }
}

/// Serves scripted pages of numbers in virtual time, and records the requests.
final class PageServer: Sendable {
    struct Row: Identifiable, Hashable {
        let id: Int
    }

    private struct Log {
        var requests: [String] = []
        var underWay = 0
        var mostAtOnce = 0
    }

    private let log = Mutex(Log())
    private let clock: VirtualClock
    private let answer: @Sendable (_ number: Int) -> Answer

    /// - Parameter answer: Returns the answer to a request, which are numbered from 0.
    init(clock: VirtualClock, answer: @escaping @Sendable (_ number: Int) -> Answer) {
        self.clock = clock
        self.answer = answer
    }

    /// The requests: the query, and `@` with the cursor for a page that is not the first.
    var requests: [String] { log.withLock { $0.requests } }
    var underWay: Int { log.withLock { $0.underWay } }
    var mostAtOnce: Int { log.withLock { $0.mostAtOnce } }

    func page(of query: String, after cursor: Int?) async throws -> CursorPage<Row, Int> {
        let number = log.withLock { log in
            log.requests.append(query + (cursor.map { "@\($0)" } ?? ""))
            log.underWay += 1
            log.mostAtOnce = max(log.mostAtOnce, log.underWay)
            return log.requests.count - 1
        }
        let answer = answer(number)
        try await withTaskCancellationHandler {
            try await clock.sleep(for: .milliseconds(answer.delay))
            log.withLock { $0.underWay -= 1 }
        } onCancel: {
            log.withLock { $0.underWay -= 1 }
        }
        if answer.fails { throw RxError.timeout }
        return CursorPage(answer.items.map(Row.init), next: answer.next)
    }
}
