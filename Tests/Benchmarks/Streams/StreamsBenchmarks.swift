import Streams

/// The shapes of RxSwift's own benchmark, and fan-out, share, merge, zip and chain set-up besides; each against the
/// same work written by hand with closures and, where several threads could meet, a lock.
enum StreamsBenchmarks {
    static func run(_ report: inout Report) async throws {
        try await subjects(&report)
        try await chains(&report)
        try await innerStreams(&report)
        try await combining(&report)
    }

    /// A stream that sends `count` elements when it is subscribed.
    static func source(_ count: Int) -> Observable<Int> {
        Observable<Int>.create { observer in
            for element in 0..<count { observer.onNext(element) }
            return Disposables.create()
        }
    }

    /// Measures a shape against the same work written by hand.
    static func compare(
        _ report: inout Report, _ shape: String, count: Int,
        streams: @escaping () -> Void, hand: @escaping () -> Void
    ) async throws {
        try await report.measure(
            shape, element: "Int", count: count, .whole("Streams", streams), .whole("Hand", hand))
    }
}
