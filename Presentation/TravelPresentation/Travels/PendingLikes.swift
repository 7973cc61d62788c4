/// The likes that are on their way to the store: at most one request a travel at a time, and the last tap wins.
///
/// A tap changes what the screen shows at once. While a request is under way, further taps only change what the person
/// wants; if that differs from the request when it succeeds, another one follows. A failure rolls back to what is
/// stored.
struct PendingLikes: Hashable, Sendable {
    private struct Request: Hashable, Sendable {
        let sent: Bool
        var wanted: Bool
    }

    private var requests: [Travel.ID: Request] = [:]

    /// What follows the end of a request.
    enum Outcome: Equatable {
        /// Nothing: the store has what the person wants.
        case settled
        /// Another request, for what the person wants by now.
        case send(Bool)
        /// The screen shows what is stored again, and says why.
        case rolledBack
    }

    /// What the person wants of a travel whose like is on its way; `nil` for other travels.
    func wanted(_ id: Travel.ID) -> Bool? { requests[id]?.wanted }

    /// Notes that the person wants to like the travel, or no longer; returns whether a request begins.
    mutating func want(_ isLiked: Bool, _ id: Travel.ID) -> Bool {
        if requests[id] != nil {
            requests[id]?.wanted = isLiked
            return false
        }
        requests[id] = Request(sent: isLiked, wanted: isLiked)
        return true
    }

    /// Notes the end of the request for a travel.
    mutating func finish(_ id: Travel.ID, succeeded: Bool) -> Outcome {
        guard let request = requests.removeValue(forKey: id) else { return .settled }
        if request.wanted == request.sent { return succeeded ? .settled : .rolledBack }
        // The person has changed their mind: a failure left what they want by now.
        guard succeeded else { return .settled }
        requests[id] = Request(sent: request.wanted, wanted: request.wanted)
        return .send(request.wanted)
    }

    /// Forgets all requests; returns their travels, whose effects are to be cancelled.
    mutating func cancel() -> [Travel.ID] {
        defer { requests = [:] }
        return requests.keys.sorted()
    }
}
