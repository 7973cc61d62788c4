/// Observes the signed-in person.
///
/// ```swift
/// for try await user in WatchSession(users: users, session: session)() {
///     show(user?.nickname.text ?? "Sign in")
/// }
/// ```
///
/// ``RestoreSession`` returns them once.
public struct WatchSession: Sendable {
    private let session: any SessionRepository
    private let restore: RestoreSession

    /// Creates the use case, which follows the session and looks up its person among `users`.
    public init(users: any UserRepository, session: any SessionRepository) {
        self.session = session
        restore = RestoreSession(users: users, session: session)
    }

    /// Observes the signed-in person: emits the current one first, `nil` when nobody is signed in, and then each
    /// other one.
    ///
    /// A person whose account no longer exists is signed out. A new nickname alone emits no value. The sequence throws
    /// the errors of the repositories, and ends when the task that iterates over it is cancelled.
    public func callAsFunction() -> any AsyncSequence<User?, any Error> & Sendable {
        DeferredSequence<Session?, User?>(
            make: { [session] in session.observeSession() }, complete: { [restore] _, _ in try await restore() })
    }
}
