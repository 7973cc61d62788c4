import Samples
import Streams

/// The shapes of RxSwift's own benchmark, and those of a screen's day: making, binding and letting go, and time. Each
/// with elements of several kinds, and against the same work written by hand with closures and, where several threads
/// could meet, a lock.
@MainActor
enum StreamsBenchmarks {
    static func run(_ report: inout Report) async throws {
        report.clock = .processor
        try await shapes(&report, Int.self)
        try await shapes(&report, String.self)
        try await shapes(&report, Article.self)
    }

    private static func shapes<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        try await subjects(&report, E.self)
        try await chains(&report, E.self)
        try await innerStreams(&report, E.self)
        try await errors(&report, E.self)
        try await combining(&report, E.self)
        try await timing(&report, E.self)
        try await values(&report, E.self)
        try await singles(&report, E.self)
        try await screens(&report, E.self)
    }

    /// A stream that sends `count` elements when it is subscribed.
    static func source<E: Sample>(_ count: Int) -> Observable<E> {
        Observable<E>.create { observer in
            for number in 0..<count { observer.onNext(E.sample(number)) }
            return Disposables.create()
        }
    }

    /// Where the elements of the two columns of a shape end up.
    struct Totals {
        let streams = Total()
        let hand = Total()
    }

    /// Measures a shape against the same work written by hand: each does it `count` times and adds what it delivers to
    /// its total.
    static func compare<E: Sample>(
        _ report: inout Report, _ shape: String, _: E.Type, count: Int, goal: Double? = nil,
        allocationLimit: Double? = nil, _ totals: Totals, streams: @escaping (Int) -> Void,
        hand: @escaping (Int) -> Void
    ) async throws {
        let count = report.scaled(count)
        try await report.measure(
            shape, element: E.name, count: count, goal: goal, allocationLimit: allocationLimit,
            .whole("Streams") {
                let before = totals.streams.value
                streams(count)
                return totals.streams.value &- before
            },
            .whole("Hand") {
                let before = totals.hand.value
                hand(count)
                return totals.hand.value &- before
            })
    }
}
