extension Flow {
    /// This flow, with each step printed: the action and where it came from, what it changed in the state, the events,
    /// and the beginning and end of each side effect.
    ///
    /// ```swift
    /// let store = FlowStore(Search().debug("search"))
    /// store.send(.typed("Jeju"))
    /// // search: action 1, typed("Jeju"), sent
    /// // search:   text: "" → "Jeju"
    /// // search:   effect 1 started: search("Jeju"), asked for by action 1
    /// // search: action 2, arrived(["Jeju in winter"]), by effect 1
    /// // search:   titles[0]: nothing → "Jeju in winter"
    /// // search:   effect 1 ended: search("Jeju"), asked for by action 1
    /// ```
    ///
    /// To be put around the whole of a tree of flows, and taken out when the bug is found: it copies the state for
    /// each action, and compares the copies.
    ///
    /// - Parameters:
    ///   - name: What each line begins with; by default the name of the flow's type.
    ///   - output: Takes the lines; by default prints them.
    public func debug(
        _ name: String? = nil, to output: @escaping @Sendable (_ line: String) -> Void = { print($0) }
    ) -> Traced<Self> {
        let name = name ?? "\(Self.self)"
        return traced { step in
            for line in step.lines { output("\(name): \(line)") }
        }
    }
}

extension FlowStep {
    /// The step in words; what follows from an action is indented.
    package var lines: [String] {
        switch self {
        case .reduced(let reduction):
            ["action \(reduction.number), \(reduction.action), \(reduction.cause)"]
                + Difference(reduction.before, reduction.after).lines.map { "  \($0)" }
        case .raised(let event, action: _): ["  event: \(event)"]
        case .effect(let effect, let change):
            ["  effect \(effect.number) \(change): \(effect.sideEffect), asked for by action \(effect.action)"]
        case .dismissed: ["dismissed"]
        }
    }
}

extension FlowStep.Change: CustomStringConvertible {
    /// What became of it, in a word; of a failure, with its error.
    public var description: String {
        switch self {
        case .started: "started"
        case .queued: "queued"
        case .ignored: "ignored"
        case .ended: "ended"
        case .cancelled: "cancelled"
        case .failed(let failure): "failed (\(failure.error))"
        }
    }
}

extension FlowCause: CustomStringConvertible {
    /// `sent`, or `by effect 2`.
    public var description: String {
        switch self {
        case .sent: "sent"
        case .effect(let number): "by effect \(number)"
        }
    }
}
