import Dispatch
import Synchronization
import TravelDomain

/// Hands records from the thread that reads a store to the thread that writes another, which wait for each other.
///
/// Both run in accesses of their databases, on threads that may block.
final class RecordChannel: Sendable {
    private struct State {
        /// The records, each with the number of spaces that it takes.
        var records: [(record: StoreRecord, spaces: Int)] = []
        var end: Result<Void, any Error>?
        /// Whether the consumer has ended.
        var isClosed = false
    }

    private let state = Mutex(State())
    // Semaphores have to be created with the lowest value that they ever have.
    private let spaces = DispatchSemaphore(value: 0)
    private let arrivals = DispatchSemaphore(value: 0)

    /// The number of spaces, and the bytes of images that take one more.
    private static let (capacity, bytesInSpace) = (128, 262_144)

    init() {
        for _ in 0..<Self.capacity { spaces.signal() }
    }

    /// Adds a record, once there is space for it.
    ///
    /// - Throws: `CancellationError` when the consumer has ended.
    func put(_ record: StoreRecord) throws {
        let needed = min(1 + record.imageBytes / Self.bytesInSpace, Self.capacity)
        for _ in 0..<needed { spaces.wait() }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.records.append((record, needed)) }
            return state.isClosed
        }
        if isClosed {
            // For whoever waits for the next ones.
            for _ in 0..<needed { spaces.signal() }
            throw CancellationError()
        }
        arrivals.signal()
    }

    /// Ends the records, with an error if they are not all.
    func end(_ result: Result<Void, any Error>) {
        state.withLock { $0.end = $0.end ?? result }
        arrivals.signal()
    }

    /// The next record, once there is one; `nil` after the last.
    ///
    /// - Throws: The error with which the records end.
    func next() throws -> StoreRecord? {
        arrivals.wait()
        let (next, end) = state.withLock { state in
            (state.records.isEmpty ? nil : state.records.removeFirst(), state.end)
        }
        if let next {
            for _ in 0..<next.spaces { spaces.signal() }
            return next.record
        }
        // For the next call.
        arrivals.signal()
        try end?.get()
        return nil
    }

    /// Ends both sides: the consumer has ended, or the task is cancelled.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.end = .failure(CancellationError())
        }
        for _ in 0..<Self.capacity { spaces.signal() }
        arrivals.signal()
    }
}

extension StoreRecord {
    fileprivate var imageBytes: Int {
        switch self {
        case .person(_, let avatar): avatar?.bytes.count ?? 0
        case .travel(let travel): travel.images.reduce(0) { $0 + $1.bytes.count }
        case .block: 0
        }
    }
}
