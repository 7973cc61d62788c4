/// What one would write by hand in place of operators: functions that wrap a closure in a closure.
///
/// None is inlined: a chain that the compiler sees whole would fold into a constant, which no program's chain does.
enum Hand {
    typealias Next = @Sendable (Int) -> Void

    @inline(never)
    static func map(_ next: @escaping Next, _ transform: @escaping @Sendable (Int) -> Int) -> Next {
        { next(transform($0)) }
    }

    @inline(never)
    static func filter(_ next: @escaping Next, _ predicate: @escaping @Sendable (Int) -> Bool) -> Next {
        { if predicate($0) { next($0) } }
    }

    @inline(never)
    static func scan(_ next: @escaping Next, _ accumulate: @escaping @Sendable (Int, Int) -> Int) -> Next {
        let result = Total.Cell(0)
        return {
            result.value = accumulate(result.value, $0)
            next(result.value)
        }
    }

    @inline(never)
    static func distinct(_ next: @escaping Next) -> Next {
        let last = Total.Cell(nil as Int?)
        return {
            if last.value == $0 { return }
            last.value = $0
            next($0)
        }
    }

    @inline(never)
    static func each(_ next: @escaping Next, _ elements: @escaping @Sendable (Int) -> CollectionOfOne<Int>) -> Next {
        { for element in elements($0) { next(element) } }
    }

    /// The last of four slots is set, and one of the four is passed on.
    @inline(never)
    static func combine(_ next: @escaping Next, _ select: @escaping @Sendable (Int, Int, Int, Int) -> Int) -> Next {
        let latest = Total.Cell((1, 1, 1, 1))
        return {
            latest.value.3 = $0
            next(select(latest.value.0, latest.value.1, latest.value.2, latest.value.3))
        }
    }

    /// Six times a map and a filter.
    @inline(never)
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
