public import Streams

/// The streams that a flow is subscribed to; dismissing the flow disposes all of them.
@usableFromInline
final class InputSubscriptions: Sendable {
    /// `nil` after disposal.
    private let streams = TracedMutex<[ObjectIdentifier: SingleAssignmentDisposable]?>([:])

    @usableFromInline
    init() {}

    /// Adds a stream; disposes it if the flow was dismissed.
    @usableFromInline
    func add(_ stream: SingleAssignmentDisposable) -> Bool {
        let isAdded = streams.withLock { streams in
            streams?[ObjectIdentifier(stream)] = stream
            return streams != nil
        }
        if !isAdded { stream.dispose() }
        return isAdded
    }

    @usableFromInline
    func remove(_ stream: SingleAssignmentDisposable) {
        let removed = streams.withLock { $0?.removeValue(forKey: ObjectIdentifier(stream)) }
        withExtendedLifetime(removed) {}  // release outside the lock
    }

    @usableFromInline
    func dispose() {
        let last = streams.withLock { $0.take() }
        if let last { for stream in last.values { stream.dispose() } }
    }
}
