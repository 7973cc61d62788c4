import Samples
import Streams

extension StreamsBenchmarks {
    /// An error with every tenth element: replaced, and tried again.
    static func errors<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        try await caught(&report, E.self)
        try await retried(&report, E.self)
    }

    private struct Rare: Error {}

    /// A stream for each element, of which every tenth fails and is replaced.
    private static func caught<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        try await compare(&report, "catchEvery10", E.self, count: 100_000, goal: 4, totals) { count in
            let turn = Total.Cell(0)
            let inner = { @Sendable (element: E) in
                Observable<E>.create { observer in
                    turn.value &+= 1
                    if turn.value % 10 == 0 {
                        observer.onError(Rare())
                    } else {
                        observer.onNext(element.next)
                        observer.onCompleted()
                    }
                    return Disposables.create()
                }
            }
            (source(count) as Observable<E>).flatMap { element in inner(element).catch { _ in .just(element) } }
                .subscribe(onNext: { totals.streams.add(sample: $0) }).dispose()
        } hand: { count in
            let turn = Total.Cell(0)
            let inner: @Sendable (E) -> Hand.Fallible<E> = { element in
                { next, end in
                    turn.value &+= 1
                    if turn.value % 10 == 0 {
                        end(Rare())
                    } else {
                        next(element.next)
                        end(nil)
                    }
                    return nil
                }
            }
            let next = Hand.flatMap({ (element: E) in totals.hand.add(sample: element) }) { element, next, end in
                Hand.catch(inner(element), { element })(next, end)
            }
            for number in 0..<count { next(E.sample(number)) }
        }
    }

    /// A stream that fails after every tenth element, and is subscribed again.
    private static func retried<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        try await compare(&report, "retryEvery10", E.self, count: 200_000, goal: 15, totals) { count in
            let sent = Total.Cell(0)
            Observable<E>.create { observer in
                while sent.value < count {
                    observer.onNext(E.sample(sent.value))
                    sent.value &+= 1
                    if sent.value % 10 == 0 {
                        observer.onError(Rare())
                        return Disposables.create()
                    }
                }
                observer.onCompleted()
                return Disposables.create()
            }
            .retry().subscribe(onNext: { totals.streams.add(sample: $0) }).dispose()
        } hand: { count in
            let sent = Total.Cell(0)
            Hand.retry({ (element: E) in totals.hand.add(sample: element) }) { next in
                while sent.value < count {
                    next(E.sample(sent.value))
                    sent.value &+= 1
                    if sent.value % 10 == 0 { throw Rare() }
                }
            }
        }
    }
}

extension Hand {
    /// Work that may fail: its end is called with the error, or with `nil`.
    typealias Fallible<E> =
        @Sendable (_ next: @escaping Next<E>, _ end: @escaping @Sendable ((any Error)?) -> Void) -> Cancel?

    /// Work that sends a last element in place of an error.
    @inline(never)
    static func `catch`<E>(_ work: @escaping Fallible<E>, _ fallback: @escaping @Sendable () -> E) -> Work<E> {
        { next, end in
            work(next) { error in
                if error != nil { next(fallback()) }
                end()
            }
        }
    }

    /// Calls `attempt` until it throws no error.
    @inline(never)
    static func retry<E>(_ next: @escaping Next<E>, _ attempt: (@escaping Next<E>) throws -> Void) {
        while true {
            do { return try attempt(next) } catch {}
        }
    }
}
