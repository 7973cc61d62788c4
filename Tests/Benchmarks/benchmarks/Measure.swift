import CAllocations
import Foundation

/// The figures of one group: measured, compared with a floor, and printed as a table or as lines of JSON.
struct Report {
    let group: String
    let isJSON: Bool
    /// Whether a tenth of the elements and 3 runs are enough.
    let isQuick: Bool
    let only: String?
    let onlyElement: String?
    let onlyColumn: String?
    /// How many trips to measure with.
    let count: Int?
    /// What is measured; for work on one thread the processor's time, which does not pass while other programs run.
    var clock = Clock.wall
    /// The shapes whose columns came to different results, and the results.
    private(set) var mismatches: [String] = []
    private var rows: [Row] = []

    enum Clock {
        case wall, processor

        /// Nanoseconds since some moment.
        var now: UInt64 {
            switch self {
            case .wall: return DispatchTime.now().uptimeNanoseconds
            case .processor:
                var time = timespec()
                clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
                return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
            }
        }
    }

    private struct Row {
        let shape: String
        let column: String
        let element: String
        let minimum: Double
        let median: Double
        let allocations: Double?
        /// The highest ratio to the floor that is wanted.
        let goal: Double?
        /// A number of allocations that is wanted not to be reached.
        let allocationLimit: Double?

        /// Whether the goals hold.
        func judgement(beside floor: Row) -> String {
            let ratio = goal.map { goal in
                "\(minimum / floor.minimum <= goal ? "holds" : "missed"): \(goal.decimals(2))"
            }
            let count = allocationLimit.map { limit in
                "\(allocations ?? 0 < limit ? "holds" : "missed"): < \(limit.decimals(0)) allocations"
            }
            return [ratio, count].compactMap { $0 }.joined(separator: ", ")
        }
    }

    init(
        group: String, isJSON: Bool, isQuick: Bool = false, only: String? = nil, onlyElement: String? = nil,
        onlyColumn: String? = nil, count: Int? = nil
    ) {
        self.group = group
        self.isJSON = isJSON
        self.isQuick = isQuick
        self.only = only
        self.onlyElement = onlyElement
        self.onlyColumn = onlyColumn
        self.count = count
    }

    var rowCount: Int { rows.count }

    /// Whether the shape is to be measured.
    func isWanted(_ shape: String, element: String? = nil) -> Bool {
        (only == nil || only == shape) && (element == nil || onlyElement == nil || onlyElement == element)
    }

    /// Whether a column of the group `travel` is to be measured.
    func isWanted(column: String) -> Bool { onlyColumn == nil || onlyColumn == column }

    /// How many of `count` elements to measure with.
    func scaled(_ count: Int) -> Int {
        isQuick ? max(1, count / 10) : count
    }

    /// One way to do the work of a shape.
    struct Column {
        /// What a run came to. Columns of a shape must agree on the checksum, run by run.
        struct Result {
            let checksum: Int
            /// The time that counts, where that is not the whole run.
            var nanoseconds: Double?
        }

        let name: String
        let run: () async throws -> Result

        /// All of what `run` does counts; it returns its checksum.
        static func whole(_ name: String, _ run: @escaping () async throws -> Int) -> Column {
            Column(name: name) { Result(checksum: try await run()) }
        }

        /// Only the nanoseconds that `run` returns with its checksum count.
        static func part(_ name: String, _ run: @escaping () async throws -> Result) -> Column {
            Column(name: name, run: run)
        }
    }

    /// Measures every column of a shape, in turns so that a slow moment of the machine meets all of them.
    ///
    /// The first round warms up and does not count; the last one counts allocations. Figures are nanoseconds and
    /// allocations for each of the `count` elements of a run.
    ///
    /// `goal` is the highest ratio of the first column to the floor that is wanted, and `allocationLimit` a number of
    /// allocations that it is wanted not to reach.
    mutating func measure(
        _ shape: String, element: String, count: Int, runs: Int = 7, goal: Double? = nil,
        allocationLimit: Double? = nil, _ columns: Column...
    ) async throws {
        guard isWanted(shape, element: element) else { return }
        let runs = isQuick ? 3 : runs
        var times = [[Double]](repeating: [], count: columns.count)
        var allocations = [Double?](repeating: nil, count: columns.count)
        for round in 0...runs + 1 {
            var checksums: [Int] = []
            for (index, column) in columns.enumerated() {
                let isCounting = round == runs + 1 && allocations_are_counted()
                if isCounting { allocations_start() }
                let start = clock.now
                let result = try await column.run()
                let whole = Double(clock.now - start)
                if isCounting { allocations[index] = Double(allocations_stop()) / Double(count) }
                if (1...runs).contains(round) { times[index].append((result.nanoseconds ?? whole) / Double(count)) }
                checksums.append(result.checksum)
            }
            if Set(checksums).count > 1 {
                let results = zip(columns, checksums).map { "\($0.name) \($1)" }.joined(separator: ", ")
                mismatches.append("\(shape), \(element), run \(round): \(results)")
            }
        }
        for (index, column) in columns.enumerated() {
            add(
                shape: shape, column: column.name, element: element, times: times[index],
                allocations: allocations[index], goal: index == 0 ? goal : nil,
                allocationLimit: index == 0 ? allocationLimit : nil)
        }
    }

    /// Adds the figures of a shape that was measured elsewhere, in nanoseconds.
    mutating func add(
        shape: String, column: String, element: String, times: [Double], allocations: Double? = nil,
        goal: Double? = nil, allocationLimit: Double? = nil
    ) {
        let sorted = times.sorted()
        let row = Row(
            shape: shape, column: column, element: element, minimum: sorted[0], median: sorted[sorted.count / 2],
            allocations: allocations, goal: goal, allocationLimit: allocationLimit)
        rows.append(row)
        guard isJSON else { return }
        print(
            """
            {"group":"\(group)","shape":"\(row.shape)","column":"\(row.column)","element":"\(row.element)",\
            "min_ns":\(row.minimum.decimals(1)),"median_ns":\(row.median.decimals(1)),\
            "allocations":\(row.allocations.map { $0.decimals(2) } ?? "null")}
            """)
    }

    /// Notes that two ways to do the same work came to different results.
    mutating func addMismatch(_ mismatch: String) {
        mismatches.append(mismatch)
    }

    /// One line for each shape and column, with its ratio to the last column of the shape: the floor.
    func printTable() {
        guard !isJSON, !rows.isEmpty else { return }
        print(
            [
                ("shape", 27), ("element", 12), ("column", 22), ("min ns", 12), ("median ns", 12), ("ratio", 8),
                ("allocations", 13), ("goal", 0),
            ]
            .map { $0.0.padded(to: $0.1) }.joined())
        let shapes = rows.map(\.shape).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        for row in shapes.flatMap({ shape in rows.filter { $0.shape == shape } }) {
            guard let floor = rows.last(where: { $0.shape == row.shape && $0.element == row.element }) else { continue }
            let cells = [
                row.shape.padded(to: 27), row.element.padded(to: 12), row.column.padded(to: 22),
                row.minimum.decimals(1).padded(to: 12), row.median.decimals(1).padded(to: 12),
                (floor.minimum > 0 ? (row.minimum / floor.minimum).decimals(2) : "-").padded(to: 8),
                (row.allocations?.decimals(2) ?? "-").padded(to: 13),
                row.judgement(beside: floor),
            ]
            print(cells.joined())
        }
    }

    /// With one thread the C library leaves out the atomic part of every lock, which no app with a second thread
    /// enjoys.
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
