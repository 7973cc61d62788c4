public import Streams

extension Event: Equatable where Element: Equatable {
    /// Elements are equal as they are; errors when they are of one type and read the same; completion always.
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
    /// Elements are equal as they are; completion always.
    public static func == (lhs: InfallibleEvent<Element>, rhs: InfallibleEvent<Element>) -> Bool {
        switch (lhs, rhs) {
        case (.next(let lhs), .next(let rhs)): lhs == rhs
        case (.completed, .completed): true
        default: false
        }
    }
}

extension MaybeEvent: Equatable where Element: Equatable {
    /// Elements are equal as they are; errors when they are of one type and read the same; completion always.
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
    /// Errors are equal when they are of one type and read the same; completion always.
    public static func == (lhs: CompletableEvent, rhs: CompletableEvent) -> Bool {
        switch (lhs, rhs) {
        case (.error(let lhs), .error(let rhs)): areEqual(lhs, rhs)
        case (.completed, .completed): true
        default: false
        }
    }
}

/// Whether two singles said the same: equal elements, or errors of one type that read the same.
public func == <Element: Equatable>(lhs: SingleEvent<Element>, rhs: SingleEvent<Element>) -> Bool {
    switch (lhs, rhs) {
    case (.success(let lhs), .success(let rhs)): lhs == rhs
    case (.failure(let lhs), .failure(let rhs)): areEqual(lhs, rhs)
    default: false
    }
}

/// Whether two errors are of one type and read the same.
func areEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
    type(of: lhs) == type(of: rhs) && "\(lhs)" == "\(rhs)"
}
