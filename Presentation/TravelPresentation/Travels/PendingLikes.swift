/// The likes that are being stored: at most one request per travel at a time; the last tap determines the result.
///
/// A tap changes what the screen shows immediately. While a request is under way, further taps only change what the
/// person wants; if that differs from the request when it succeeds, another one follows. A failure rolls back to what
/// is stored.
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
        /// The screen shows the stored like again, and the reason of the failure.
        case rolledBack
    }

    /// The like that the person wants for a travel with a request in progress; `nil` for other travels.
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
        // The person has tapped again in the meantime: despite the failure, the stored like is what they want now.
        guard succeeded else { return .settled }
        requests[id] = Request(sent: request.wanted, wanted: request.wanted)
        return .send(request.wanted)
    }

    /// Removes all requests; returns their travels, so that the caller cancels the effects.
    mutating func cancel() -> [Travel.ID] {
        defer { requests = [:] }
        return requests.keys.sorted()
    }
}
