/// A session in which nobody is ever signed in: for programs without accounts, which only search and show.
///
/// ```swift
/// let search = SearchTravels(travels: travels, session: .signedOut)
/// ```
public struct SignedOutSession: SessionRepository {
    /// Creates a session in which nobody is ever signed in.
    public init() {}

    /// Returns `nil`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func session() async throws -> Session? {
        try Task.checkCancellation()
        return nil
    }

    /// Does nothing if `change` signs nobody in.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when `change` signs someone in; `CancellationError`.
    public func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        try Task.checkCancellation()
        var session: Session?
        change(&session)
        guard session == nil else {
            throw TravelError.unavailable(.init("Nobody can sign in here.", canRetry: false))
        }
    }

    /// Observes the session: emits `nil`, and nothing afterwards.
    public func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        DeferredSequence<Session?, Session?> {
            AsyncThrowingStream { $0.yield(nil) }
        }
    }
}

extension SessionRepository where Self == SignedOutSession {
    /// A session in which nobody is ever signed in.
    public static var signedOut: SignedOutSession { SignedOutSession() }
}
