import Dispatch
import Synchronization
import TravelDomain

/// Hands parts from the thread that reads a store to the thread that writes another, which wait for each other.
///
/// Both run in accesses of their databases, on threads that may block.
final class PartChannel: Sendable {
    private struct State {
        /// The parts, each with the number of spaces that it takes.
        var parts: [(part: StoredPart, spaces: Int)] = []
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

    /// Adds a part, once there is space for it.
    ///
    /// - Throws: `CancellationError` when the consumer has ended.
    func put(_ part: StoredPart) throws {
        let needed = min(1 + part.imageBytes / Self.bytesInSpace, Self.capacity)
        for _ in 0..<needed { spaces.wait() }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.parts.append((part, needed)) }
            return state.isClosed
        }
        if isClosed {
            // For whoever waits for the next ones.
            for _ in 0..<needed { spaces.signal() }
            throw CancellationError()
        }
        arrivals.signal()
    }

    /// Ends the parts, with an error if they are not all.
    func end(_ result: Result<Void, any Error>) {
        state.withLock { $0.end = $0.end ?? result }
        arrivals.signal()
    }

    /// The next part, once there is one; `nil` after the last.
    ///
    /// - Throws: The error with which the parts end.
    func next() throws -> StoredPart? {
        arrivals.wait()
        let (next, end) = state.withLock { state in
            (state.parts.isEmpty ? nil : state.parts.removeFirst(), state.end)
        }
        if let next {
            for _ in 0..<next.spaces { spaces.signal() }
            return next.part
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

extension StoredPart {
    fileprivate var imageBytes: Int {
        switch self {
        case .person(_, let avatar): avatar?.bytes.count ?? 0
        case .travel(let travel): travel.images.reduce(0) { $0 + $1.bytes.count }
        case .block: 0
        }
    }
}
