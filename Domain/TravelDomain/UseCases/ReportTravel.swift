/// Reports a travel for the signed-in person. ``Visibility`` defines the effect.
///
/// ```swift
/// let report = ReportTravel(moderation: repository, session: session)
/// try await report(travel.id)    // true
/// try await report(travel.id)    // false: reported already
/// ```
public struct ReportTravel: Sendable {
    private let moderation: any ModerationRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the person who reports.
    public init(moderation: any ModerationRepository, session: any SessionRepository) {
        self.moderation = moderation
        self.session = session
    }

    /// Reports the travel. Authors cannot report their own travels.
    ///
    /// - Returns: Whether the report is new; `false` when this person had already reported the travel.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; the errors of
    ///   ``ModerationRepository/report(_:by:)``; `CancellationError`.
    @discardableResult
    public func callAsFunction(_ travel: Travel.ID) async throws -> Bool {
        try await moderation.report(travel, by: session.requireUser())
    }
}
