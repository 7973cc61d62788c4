import Samples
import Synchronization

/// What one would write by hand in place of operators: functions that wrap a closure in a closure.
///
/// None is inlined: a chain that the compiler sees whole would fold into a constant, which no program's chain does.
enum Hand {
    typealias Next<E> = @Sendable (E) -> Void

    @inline(never)
    static func map<E>(_ next: @escaping Next<E>, _ transform: @escaping @Sendable (E) -> E) -> Next<E> {
        { next(transform($0)) }
    }

    @inline(never)
    static func filter<E>(_ next: @escaping Next<E>, _ predicate: @escaping @Sendable (E) -> Bool) -> Next<E> {
        { if predicate($0) { next($0) } }
    }

    @inline(never)
    static func scan<E: Sendable>(
        _ next: @escaping Next<E>, from initial: E, _ accumulate: @escaping @Sendable (E, E) -> E
    ) -> Next<E> {
        let result = Total.Cell(initial)
        return {
            result.value = accumulate(result.value, $0)
            next(result.value)
        }
    }

    @inline(never)
    static func distinct<E: Equatable & Sendable>(_ next: @escaping Next<E>) -> Next<E> {
        let last = Total.Cell(nil as E?)
        return {
            if last.value == $0 { return }
            last.value = $0
            next($0)
        }
    }

    @inline(never)
    static func each<E>(
        _ next: @escaping Next<E>, _ elements: @escaping @Sendable (E) -> CollectionOfOne<E>
    ) -> Next<E> {
        { for element in elements($0) { next(element) } }
    }

    /// Six times a map and a filter.
    @inline(never)
    static func mapFilter<E: Sample>(_ next: @escaping Next<E>) -> Next<E> {
        var next = next
        for _ in 0..<6 { next = map(filter(next) { !$0.isRare }) { $0.next } }
        return next
    }
}

// MARK: Sources that one subscribes to by calling them, and that return how to leave them.

extension Hand {
    typealias Source<E> = @Sendable (@escaping Next<E>) -> Cancel?

    /// The latest elements of four sources, combined whenever one of the four sends.
    @inline(never)
    static func combineLatest<E: Sendable>(
        _ first: @escaping Source<E>, _ second: @escaping Source<E>, _ third: @escaping Source<E>,
        _ fourth: @escaping Source<E>, _ select: @escaping @Sendable (E, E, E, E) -> E
    ) -> Source<E> {
        { next in
            let latest = Latest<E>(next, select)
            latest.cancels.0 = first {
                latest.first = $0; latest.send()
            }
            latest.cancels.1 = second {
                latest.second = $0; latest.send()
            }
            latest.cancels.2 = third {
                latest.third = $0; latest.send()
            }
            latest.cancels.3 = fourth {
                latest.fourth = $0; latest.send()
            }
            return { latest.cancel() }
        }
    }

    /// `@unchecked Sendable`: as its benchmark, on one thread.
    private final class Latest<E>: @unchecked Sendable {
        @exclusivity(unchecked) var first: E?
        @exclusivity(unchecked) var second: E?
        @exclusivity(unchecked) var third: E?
        @exclusivity(unchecked) var fourth: E?
        @exclusivity(unchecked) var cancels: (Cancel?, Cancel?, Cancel?, Cancel?)
        @exclusivity(unchecked) private var isCancelled = false
        private let next: Next<E>
        private let select: @Sendable (E, E, E, E) -> E

        init(_ next: @escaping Next<E>, _ select: @escaping @Sendable (E, E, E, E) -> E) {
            self.next = next
            self.select = select
        }

        func send() {
            guard !isCancelled, let first, let second, let third, let fourth else { return }
            next(select(first, second, third, fourth))
        }

        func cancel() {
            isCancelled = true
            cancels.0?()
            cancels.1?()
            cancels.2?()
            cancels.3?()
            cancels = (nil, nil, nil, nil)
        }
    }
}
