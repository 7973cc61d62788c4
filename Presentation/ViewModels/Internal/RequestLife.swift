import Synchronization

/// Whether a request can still be answered.
///
/// The state that waits for the answer and the side effects that carry the request share it, and the engine notes their
/// beginnings and ends. So a state does not wait for an effect that was cancelled, even in a flow that does not implement
/// ``Flow/unanswered(_:)``.
///
/// The state itself never changes by it: what a state shows is stored in it. Only the next change of the state depends on
/// it, and only if the effect has ended. All are equal, so that states compare by what they show.
@usableFromInline
struct RequestLife: Equatable, Sendable, CustomStringConvertible {
    private final class Carriers: Sendable {
        /// The number of effects that carry the request.
        let count = Atomic(0)
        /// Whether an effect has carried it: before, the state waits for one.
        let existed = Atomic(false)
    }

    private static let begun = Atomic(0)
    private let carriers = Carriers()

    /// Begins the life of a request.
    init() {
        Self.begun.add(1, ordering: .relaxed)
    }

    /// The number of requests that any state of the process has begun: an engine searches a side effect only after a
    /// change of it.
    @usableFromInline static var count: Int { begun.load(ordering: .relaxed) }

    /// Whether all effects that carried the request have ended.
    var isOver: Bool {
        carriers.existed.load(ordering: .acquiring) && carriers.count.load(ordering: .acquiring) == 0
    }

    /// Notes that an effect carries the request.
    func begin() {
        carriers.count.add(1, ordering: .acquiringAndReleasing)
        carriers.existed.store(true, ordering: .releasing)
    }

    /// Notes that an effect that carried the request has ended.
    func end() { carriers.count.subtract(1, ordering: .acquiringAndReleasing) }

    @usableFromInline static func == (lhs: RequestLife, rhs: RequestLife) -> Bool { true }

    @usableFromInline var description: String { isOver ? "over" : "open" }

    /// The lives of the requests that a side effect carries, at any depth of enumerations, structures and tuples.
    static func all(in value: Any) -> [RequestLife] {
        if let request = value as? any AnswerableRequest { return [request.life] }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .enum, .struct, .tuple, .optional: return mirror.children.flatMap { all(in: $0.value) }
        default: return []
        }
    }
}

/// A request for an answer that a state waits for.
protocol AnswerableRequest {
    var life: RequestLife { get }
}
