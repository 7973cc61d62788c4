/// Signs the current person out. Other data of the device, such as recent keywords, remains.
///
/// ```swift
/// let signOut = SignOut(session: session)
/// try await signOut()
/// try await session.session()    // nil
/// ```
public struct SignOut: Sendable {
    private let session: any SessionRepository

    /// Creates the use case with the session that it ends.
    public init(session: any SessionRepository) {
        self.session = session
    }

    /// Signs out. Does nothing when nobody is signed in.
    ///
    /// - Throws: The errors of ``SessionRepository/updateSession(_:)``; `CancellationError`.
    public func callAsFunction() async throws {
        try await session.setSession(nil)
    }
}
