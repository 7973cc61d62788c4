public import Streams

extension Event: Equatable where Element: Equatable {
    /// Compares elements with `==`. Errors are equal if they have the same type and description; completions are always
    /// equal.
    public static func == (lhs: Event<Element>, rhs: Event<Element>) -> Bool {
        switch (lhs, rhs) {
        case (.next(let lhs), .next(let rhs)): lhs == rhs
        case (.error(let lhs), .error(let rhs)): areEqual(lhs, rhs)
        case (.completed, .completed): true
        default: false
        }
    }
}

extension InfallibleEvent: Equatable where Element: Equatable {
    /// Compares elements with `==`. Completions are always equal.
    public static func == (lhs: InfallibleEvent<Element>, rhs: InfallibleEvent<Element>) -> Bool {
        switch (lhs, rhs) {
        case (.next(let lhs), .next(let rhs)): lhs == rhs
        case (.completed, .completed): true
        default: false
        }
    }
}

extension MaybeEvent: Equatable where Element: Equatable {
    /// Compares elements with `==`. Errors are equal if they have the same type and description; completions are always
    /// equal.
    public static func == (lhs: MaybeEvent<Element>, rhs: MaybeEvent<Element>) -> Bool {
        switch (lhs, rhs) {
        case (.success(let lhs), .success(let rhs)): lhs == rhs
        case (.error(let lhs), .error(let rhs)): areEqual(lhs, rhs)
        case (.completed, .completed): true
        default: false
        }
    }
}

extension CompletableEvent: Equatable {
    /// Errors are equal if they have the same type and description; completions are always equal.
    public static func == (lhs: CompletableEvent, rhs: CompletableEvent) -> Bool {
        switch (lhs, rhs) {
        case (.error(let lhs), .error(let rhs)): areEqual(lhs, rhs)
        case (.completed, .completed): true
        default: false
        }
    }
}

/// Compares the events of two singles: elements with `==`; errors are equal if they have the same type and description.
public func == <Element: Equatable>(lhs: SingleEvent<Element>, rhs: SingleEvent<Element>) -> Bool {
    switch (lhs, rhs) {
    case (.success(let lhs), .success(let rhs)): lhs == rhs
    case (.failure(let lhs), .failure(let rhs)): areEqual(lhs, rhs)
    default: false
    }
}

/// Whether two errors have the same type and description.
func areEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
    type(of: lhs) == type(of: rhs) && "\(lhs)" == "\(rhs)"
}
