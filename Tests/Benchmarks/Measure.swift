import Dispatch

/// The figures of one group: measured, compared with a floor, and printed as a table or as lines of JSON.
struct Report {
    let group: String
    let isJSON: Bool
    let only: String?
    /// How many rows or travels to measure with, where that can be chosen.
    let count: Int?
    private var rows: [Row] = []

    private struct Row {
        let shape: String
        let column: String
        let element: String
        let minimum: Double
        let median: Double
    }

    init(group: String, isJSON: Bool, only: String? = nil, count: Int? = nil) {
        self.group = group
        self.isJSON = isJSON
        self.only = only
        self.count = count
    }

    /// Whether the shape is to be measured.
    func isWanted(_ shape: String) -> Bool {
        only == nil || only == shape
    }

    /// One way to do the work of a shape.
    struct Column {
        let name: String
        let run: () async throws -> Double?

        /// All of what `run` does counts.
        static func whole(_ name: String, _ run: @escaping () async throws -> Void) -> Column {
            Column(name: name) {
                try await run()
                return nil
            }
        }

        /// Only the nanoseconds that `run` returns count.
        static func part(_ name: String, _ run: @escaping () async throws -> Double) -> Column {
            Column(name: name, run: run)
        }
    }

    /// Measures every column of a shape, in turns so that a slow moment of the machine meets all of them.
    ///
    /// The first round warms up and does not count. Figures are nanoseconds for each of the `count` elements of a run.
    mutating func measure(
        _ shape: String, element: String, count: Int, runs: Int = 7, _ columns: Column...
    ) async throws {
        guard isWanted(shape) else { return }
        var times = [[Double]](repeating: [], count: columns.count)
        for round in 0...runs {
            for (index, column) in columns.enumerated() {
                let start = DispatchTime.now().uptimeNanoseconds
                let own = try await column.run()
                let whole = Double(DispatchTime.now().uptimeNanoseconds - start)
                if round > 0 { times[index].append((own ?? whole) / Double(count)) }
            }
        }
        for (column, times) in zip(columns, times) {
            add(shape: shape, column: column.name, element: element, times: times)
        }
    }

    /// Adds the figures of a shape that was measured elsewhere, in nanoseconds.
    mutating func add(shape: String, column: String, element: String, times: [Double]) {
        let sorted = times.sorted()
        let row = Row(
            shape: shape, column: column, element: element, minimum: sorted[0], median: sorted[sorted.count / 2])
        rows.append(row)
        guard isJSON else { return }
        print(
            """
            {"group":"\(group)","shape":"\(row.shape)","column":"\(row.column)","element":"\(row.element)",\
            "min_ns":\(row.minimum.decimals(1)),"median_ns":\(row.median.decimals(1))}
            """)
    }

    /// One line for each shape and column, with its ratio to the last column of the shape: the floor.
    func printTable() {
        guard !isJSON else { return }
        print(
            [("shape", 20), ("column", 26), ("element", 14), ("min ns", 12), ("median ns", 12), ("ratio", 8)]
                .map { $0.0.padded(to: $0.1) }.joined())
        for row in rows {
            guard let floor = rows.last(where: { $0.shape == row.shape && $0.element == row.element }) else { continue }
            let cells = [
                row.shape.padded(to: 20), row.column.padded(to: 26), row.element.padded(to: 14),
                row.minimum.decimals(1).padded(to: 12), row.median.decimals(1).padded(to: 12),
                (row.minimum / floor.minimum).decimals(2),
            ]
            print(cells.joined())
        }
    }

    /// With one thread the C library leaves out the atomic part of every lock, which no app with a second thread enjoys.
    static func keepSecondThreadAsleep() {
        let asleep = DispatchSemaphore(value: 0)
        DispatchQueue(label: "asleep").async { asleep.wait() }
    }
}

extension Double {
    fileprivate func decimals(_ count: Int) -> String {
        var scale = 1.0
        for _ in 0..<count { scale *= 10 }
        return "\((self * scale).rounded() / scale)"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
