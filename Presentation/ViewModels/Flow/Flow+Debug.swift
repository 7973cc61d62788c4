extension Flow {
    /// Returns this flow with debug output: it prints each action with its cause, its changes of the state and its
    /// events, and the start and end of each side effect.
    ///
    /// ```swift
    /// let store = FlowStore(Search().debug("search"))
    /// store.send(.typed("Jeju"))
    /// // search: action 1, typed("Jeju"), sent
    /// // search:   text: "" → "Jeju"
    /// // search:   effect 1 started: search("Jeju"), requested by action 1
    /// // search: action 2, arrived(["Jeju in winter"]), by effect 1
    /// // search:   titles[0]: nothing → "Jeju in winter"
    /// // search:   effect 1 ended: search("Jeju"), requested by action 1
    /// ```
    ///
    /// Apply it to the whole tree of flows, and remove it after debugging: it copies the state for each action and
    /// compares the copies.
    ///
    /// - Parameters:
    ///   - name: The prefix of each line; by default the name of the flow's type.
    ///   - output: Receives each line, one call at a time, on the thread that handles the action; by default prints it.
    public func debug(
        _ name: String? = nil, to output: @escaping @Sendable (_ line: String) -> Void = { print($0) }
    ) -> TracedFlow<Self> {
        let name = name ?? "\(Self.self)"
        return traced { step in
            for line in step.lines { output("\(name): \(line)") }
        }
    }
}

extension FlowStep {
    /// The step as text; the consequences of an action are indented.
    package var lines: [String] {
        switch self {
        case .reduced(let reduction):
            ["action \(reduction.number), \(reduction.action), \(reduction.cause)"]
                + Difference(reduction.before, reduction.after).lines.map { "  \($0)" }
        case .raised(let event, action: _): ["  event: \(event)"]
        case .effect(let effect, let change):
            ["  effect \(effect.number) \(change): \(effect.sideEffect), requested by action \(effect.action)"]
        case .dismissed: ["dismissed"]
        }
    }
}

extension FlowStep.Change: CustomStringConvertible {
    /// One word for the change; a failure includes its error.
    public var description: String {
        switch kind {
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
