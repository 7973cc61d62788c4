/// Who sees which travels.
///
/// A travel that more than five people have reported disappears for everyone but its author, and the travels of
/// someone who was blocked for the one who blocked them.
public struct Visibility: Sendable {
    /// How many people may report a travel before it disappears.
    public static let toleratedReports = 5

    private let viewer: User.ID?
    private let blocked: Set<User.ID>

    /// What `viewer` sees, who has blocked these people.
    public init(viewer: User.ID?, blocked: Set<User.ID>) {
        self.viewer = viewer
        self.blocked = blocked
    }

    /// Whether a travel by that author, which so many people have reported, is seen.
    public func shows(travelBy author: User.ID, reports: Int) -> Bool {
        author == viewer || (reports <= Self.toleratedReports && !blocked.contains(author))
    }
}
