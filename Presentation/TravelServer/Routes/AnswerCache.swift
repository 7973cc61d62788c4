#if Server
import Synchronization
internal import TravelJSON

/// Answers to people without a token, who all see the same, until the store changes.
final class AnswerCache: Sendable {
    /// What an answer depends on besides the store.
    struct Key: Hashable {
        private let path: [String]
        private let query: [String]
        private let language: String?
        private let coding: ContentCoding

        /// The key of a read; `nil` when its answer depends on more.
        init?(_ request: HTTPRequest, _ route: Route) {
            switch route {
            case .trips, .titles, .trip, .summary, .timeline, .track, .home, .tripPage: break
            default: return nil
            }
            guard request.headers["authorization"] == nil, request.headers["if-none-match"] == nil,
                !request.observes(route)
            else { return nil }
            path = request.path
            query = request.query.flatMap { [$0.name, $0.value ?? ""] }
            language = RouteTable.isPage(route) ? request.headers.list("accept-language") : nil
            coding = request.coding
        }
    }

    private struct State {
        /// The count of changes at which the answers were made.
        var count: UInt64 = 0
        var answers: [Key: HTTPResponse] = [:]
        var bytes = 0
    }

    /// The bodies of all answers together, in bytes.
    private static let limit = 16 << 20

    private let state = Mutex(State())

    func answer(to key: Key, at count: UInt64) -> HTTPResponse? {
        state.withLock { $0.count == count ? $0.answers[key] : nil }
    }

    /// Keeps an answer that was made after the changes were counted.
    func keep(_ answer: HTTPResponse, to key: Key, at count: UInt64) {
        guard answer.status == 200, let bytes = answer.byteCount else { return }
        state.withLock { state in
            if state.count != count || state.bytes + bytes > Self.limit { state = State(count: count) }
            if state.answers.updateValue(answer, forKey: key) == nil { state.bytes += bytes }
        }
    }
}
#endif
