/// The rule that decides which travels a viewer sees.
///
/// A travel with more than five reports is visible to its author only. The travels of a blocked author are not visible
/// to the person who blocked them.
///
/// ```swift
/// let visibility = Visibility(viewer: mina, blocked: [])
/// visibility.shows(travelBy: jun, reports: 5)     // true
/// visibility.shows(travelBy: jun, reports: 6)     // false
/// visibility.shows(travelBy: mina, reports: 6)    // true: her own
/// ```
public struct Visibility: Sendable {
    /// The largest number of reports at which a travel stays visible.
    public static let toleratedReports = 5

    private let viewer: User.ID?
    private let blocked: Set<User.ID>

    /// Creates the rule for `viewer`, who has blocked the authors in `blocked`.
    public init(viewer: User.ID?, blocked: Set<User.ID>) {
        self.viewer = viewer
        self.blocked = blocked
    }

    /// Whether the viewer sees a travel by `author` with that number of reports.
    public func shows(travelBy author: User.ID, reports: Int) -> Bool {
        author == viewer || (reports <= Self.toleratedReports && !blocked.contains(author))
    }
}
