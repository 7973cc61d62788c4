/// What one would write by hand in place of operators: functions that wrap a closure in a closure.
enum Hand {
    typealias Next = @Sendable (Int) -> Void

    static func map(_ next: @escaping Next, _ transform: @escaping @Sendable (Int) -> Int) -> Next {
        { next(transform($0)) }
    }

    static func filter(_ next: @escaping Next, _ predicate: @escaping @Sendable (Int) -> Bool) -> Next {
        { if predicate($0) { next($0) } }
    }

    static func scan(_ next: @escaping Next, _ accumulate: @escaping @Sendable (Int, Int) -> Int) -> Next {
        let result = Total.Cell(0)
        return {
            result.value = accumulate(result.value, $0)
            next(result.value)
        }
    }

    static func distinct(_ next: @escaping Next) -> Next {
        let last = Total.Cell(nil as Int?)
        return {
            if last.value == $0 { return }
            last.value = $0
            next($0)
        }
    }

    /// Six times a map and a filter.
    static func mapFilter(_ next: @escaping Next) -> Next {
        var next = next
        for _ in 0..<6 { next = map(filter(next) { $0 != -5 }) { $0 &+ 1 } }
        return next
    }
}

extension Total {
    /// State of one hand-written operator. `@unchecked Sendable`: as its benchmark, on one thread.
    final class Cell<Value>: @unchecked Sendable {
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }
}
