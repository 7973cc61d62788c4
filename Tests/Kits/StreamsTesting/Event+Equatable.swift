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

/// Whether two errors are of one type and read the same.
func areEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
    type(of: lhs) == type(of: rhs) && "\(lhs)" == "\(rhs)"
}
