public import TravelDomain

/// A request to the remote store; the cache records when it was last answered.
///
/// ```swift
/// let list = TravelRequest.search(try TravelQuery(TravelCriteria(sort: .mostLiked), viewer: me))
/// try await travels.lastAnswer(to: list)    // when this page was last confirmed
/// ```
public enum TravelRequest: Hashable, Sendable {
    /// A page of a search.
    case search(TravelQuery)
    /// A travel as one viewer sees it.
    case travel(Travel.ID, viewer: User.ID?)
    /// A travel with its timeline.
    case timeline(Travel.ID, viewer: User.ID?)
    /// A person.
    case user(User.ID)
    /// The authors that a person has blocked.
    case blocked(by: User.ID)

    /// The person on whose behalf it is sent; `nil` for nobody, and for a request that is the same for everyone.
    var viewer: User.ID? {
        switch self {
        case .search(let query): query.viewer
        case .travel(_, let viewer), .timeline(_, let viewer): viewer
        case .blocked(let user): user
        case .user: nil
        }
    }

    /// The name of the request in the local store.
    var key: String {
        switch self {
        case .search(let query):
            "search \(query.limit) \(Self.name(query.viewer)) \(query.cursor?.text ?? "-") \(query.criteria.text)"
        case .travel(let id, let viewer): "travel \(id) \(Self.name(viewer))"
        case .timeline(let id, let viewer): "timeline \(id) \(Self.name(viewer))"
        case .user(let id): "user \(id)"
        case .blocked(let user): "blocked \(user)"
        }
    }

    private static func name(_ viewer: User.ID?) -> String { viewer?.description ?? "-" }
}
