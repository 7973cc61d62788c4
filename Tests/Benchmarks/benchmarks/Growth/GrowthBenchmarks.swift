import Streams

/// Whether the cost of one step depends on how many observers, rows, timers or streams there are: each shape at sizes from
/// 10 to 100,000, in nanoseconds for each step. The number is to stay the same or to grow with the logarithm of the size.
@MainActor
enum GrowthBenchmarks {
    static func run(_ report: inout Report) async throws {
        report.clock = .processor
        try await subjects(&report)
        try await disposables(&report)
        try await innerStreams(&report)
        try await timers(&report)
        try await chains(&report)
        try await stored(&report)
        try await rows(&report)
        try await effects(&report)
        try await identifiedRows(&report)
    }

    /// The steps of one run, prepared before the clock starts.
    struct Steps {
        let count: Int
        let run: () -> Int

        /// - Parameter run: Does all steps, and returns a checksum.
        init(_ count: Int, run: @escaping () -> Int) {
            self.count = count
            self.run = run
        }
    }

    /// Measures a shape at each size.
    static func measure(
        _ report: inout Report, _ shape: String, upTo limit: Int = 100_000, _ prepare: @escaping (_ size: Int) -> Steps
    ) async throws {
        let clock = report.clock
        let sizes = report.isQuick ? [10, 1000] : [10, 100, 1000, 10_000, 100_000]
        for size in sizes where size <= limit && report.isWanted(shape, element: "\(size)") {
            let column = Report.Column.part("library") {
                let steps = prepare(size)
                let start = clock.now
                let checksum = steps.run()
                return Report.Column.Result(
                    checksum: checksum, nanoseconds: Double(clock.now - start) / Double(steps.count))
            }
            // `nanoseconds` is that of one step already.
            try await report.measure(shape, element: "\(size)", count: 1, runs: size < 10_000 ? 5 : 2, column)
        }
    }

    /// `count` observers of a stream.
    static func observers<Element: Sendable>(_ count: Int, of stream: Observable<Element>, _ total: Total)
        -> [any Disposable]
    {
        (0..<count).map { _ in stream.subscribe(onNext: { _ in total.add(1) }) }
    }

    /// The numbers below `count` in an arbitrary order. `count` is a power of 10.
    static func shuffled(_ count: Int) -> [Int] { (0..<count).map { ($0 &* 7919) % count } }
}
