#if Server
import Synchronization
internal import TravelDomain
internal import TravelJSON

/// Values that were read from the store, kept until it changes.
final class KeptReads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        /// The count of changes at which the values were read.
        var count: UInt64 = 0
        var values: [Key: Value] = [:]
        var size = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Keeps values of `limit` together, in the unit in which their sizes are given.
    init(limit: Int) {
        self.limit = limit
    }

    func value(for key: Key, at count: UInt64) -> Value? {
        state.withLock { $0.count == count ? $0.values[key] : nil }
    }

    /// Keeps a value that was read after the changes were counted, unless it alone is beyond the limit.
    func keep(_ value: Value, for key: Key, size: Int, at count: UInt64) {
        guard size <= limit else { return }
        state.withLock { state in
            if state.count != count || state.size + size > limit { state = State(count: count) }
            if state.values.updateValue(value, forKey: key) == nil { state.size += size }
        }
    }
}

/// What the answer to a read depends on besides the store.
struct AnswerKey: Hashable {
    private let path: [String]
    private let query: [String]
    private let viewer: User.ID?
    private let language: String?
    private let coding: ContentCoding

    /// The memory of the key and of what is kept with a body, in bytes: an address may be longer than its answer.
    var size: Int { 1_024 + (path + query).reduce(language?.utf8.count ?? 0) { $0 + $1.utf8.count } }

    /// The key of a read by `viewer`; `nil` when its answer depends on more. `languages` are those of pages.
    init?(_ request: HTTPRequest, _ route: Route, viewer: User.ID?, languages: [String]?) {
        switch route {
        case .trips, .titles, .trip, .summary, .timeline, .track, .home, .tripPage, .mapOfPage: break
        default: return nil
        }
        guard !request.observes(route) else { return nil }
        path = request.path
        query = request.query.flatMap { [$0.name, $0.value ?? ""] }
        self.viewer = viewer
        language =
            RouteTable.isPage(route) ? languages.map { PageRequest.language(of: request.headers, among: $0) } : nil
        coding = request.coding
    }
}
#endif
