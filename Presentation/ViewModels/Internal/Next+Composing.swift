extension Next {
    /// The request of the flow inside a combinator, with its paths seen from outside.
    @usableFromInline
    func wrapped<Outer: Sendable, OuterEvent: Sendable>(
        _ sideEffect: (SideEffect) -> Outer, _ event: (Event) -> OuterEvent
    ) -> Next<Outer, OuterEvent> {
        moved(sideEffect, event) { $0.wrap() }
    }

    /// The request of a child, with its paths seen from its parent.
    @usableFromInline
    func nested<Outer: Sendable, OuterEvent: Sendable>(
        in child: EffectID?, _ sideEffect: (SideEffect) -> Outer, _ event: (Event) -> OuterEvent
    ) -> Next<Outer, OuterEvent> {
        moved(sideEffect, event) { $0.nest(in: PathComponent(child)) }
    }

    /// The same requests with other values and paths.
    func moved<Outer: Sendable, OuterEvent: Sendable>(
        _ sideEffect: (SideEffect) -> Outer, _ event: (Event) -> OuterEvent, _ move: (inout [PathComponent]) -> Void
    ) -> Next<Outer, OuterEvent> {
        func moved(_ key: EffectKey) -> EffectKey {
            var key = key
            move(&key.path)
            return key
        }
        var result = Next<Outer, OuterEvent>(
            steps: steps.map { step in
                switch step {
                case .run(let value, let key): .run(sideEffect(value), moved(key))
                case .inOrder(let values, let key): .inOrder(values.map(sideEffect), moved(key))
                case .latest(let value, let key): .latest(sideEffect(value), moved(key))
                case .latestAfter(let duration, let value, let key):
                    .latestAfter(duration, sideEffect(value), moved(key))
                case .exhausting(let value, let key): .exhausting(sideEffect(value), moved(key))
                case .cancel(let key): .cancel(moved(key))
                case .cancelChild(let key): .cancelChild(moved(key))
                case .event(let value): .event(event(value))
                }
            })
        result.childReports = childReports.map { report in
            guard case .removed(var removal) = report else { return report }
            move(&removal.path)
            return .removed(removal)
        }
        return result
    }

    /// Records that the action addressed a child that is not in the state.
    @usableFromInline
    mutating func reportMissingChild(_ child: String) {
        childReports.append(.missing(child))
    }

    /// Cancels the effects of removed children, both running ones and those in this request.
    @usableFromInline
    mutating func cancelEffects(of removal: ChildRemoval) {
        steps.removeAll { step in
            switch step {
            case .run(_, let key), .inOrder(_, let key), .latest(_, let key), .latestAfter(_, _, let key),
                .exhausting(_, let key), .cancel(let key), .cancelChild(let key):
                removal.matches(key.path)
            case .event: false
            }
        }
        childReports.append(.removed(removal))
    }
}
