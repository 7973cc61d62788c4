public import Synchronization

extension ObservableType {
    /// Emits the events of whichever stream emits its first event, including a terminal event, first; the other one is
    /// disposed.
    ///
    /// ```swift
    /// // mirror:    1 at 2 s, | at 3 s
    /// // original:  2 at 1 s, | at 4 s
    /// mirror.amb(original)    // 2 at 1 s, | at 4 s
    /// ```
    @inlinable
    public func amb<O2: ObservableType>(_ right: O2) -> Observable<Element> where O2.Element == Element {
        Observable.amb([asObservable(), right.asObservable()])
    }

    /// Emits the events of whichever stream emits its first event, including a terminal event, first; the others are
    /// disposed. Without any stream, the result never emits.
    ///
    /// ```swift
    /// // mirror:    1 at 2 s, | at 3 s
    /// // original:  2 at 1 s, | at 4 s
    /// Observable.amb([mirror, original])    // 2 at 1 s, | at 4 s
    /// ```
    @inlinable @preconcurrency
    public static func amb<Sequence: Swift.Sequence & Sendable>(_ sequence: Sequence) -> Observable<Element>
    where Sequence.Element == Observable<Element> {
        Observable(connect: { sink in
            let race = Race(into: sink.chain)
            for (number, source) in sequence.enumerated() {
                source.connect(Sink(race.makeChain(number)) { if race.isWon(by: number) { sink.next($0) } })
            }
        })
    }
}

/// The state of an `amb`: several streams; the result is the first one that emits an event.
@usableFromInline
final class Race: DisposeBase {
    private let resource = Resources.Counted()
    private let downstream: Chain
    /// The number of the winning stream; -1 while there is none.
    @usableFromInline let winner = Atomic(-1)
    private let chains = Mutex<[Chain]>([])

    @usableFromInline
    init(into downstream: Chain) {
        self.downstream = downstream
        downstream.attach(self)
    }

    /// Creates the chain for the stream with this number. Numbers are assigned in order.
    @usableFromInline
    func makeChain(_ number: Int) -> Chain {
        let chain = Chain { [self] error in if isWon(by: number) { downstream.finish(error) } }
        chains.withLock { $0.append(chain) }
        if downstream.isDisposed || winner.load(ordering: .acquiring) >= 0 { chain.dispose() }
        return chain
    }

    /// Whether the stream with this number is the winner. Called at each of its events.
    @inlinable
    func isWon(by number: Int) -> Bool {
        let winner = winner.load(ordering: .relaxed)
        return winner == number || (winner < 0 && win(number))
    }

    @usableFromInline
    func win(_ number: Int) -> Bool {
        let isFirst = winner.compareExchange(expected: -1, desired: number, ordering: .acquiringAndReleasing).exchanged
        guard isFirst else { return false }
        let chains = chains.withLock { $0 }
        for (index, chain) in chains.enumerated() where index != number { chain.dispose() }
        return true
    }

    @usableFromInline
    func dispose() {
        let chains = chains.withLock { chains in
            defer { chains = [] }
            return chains
        }
        for chain in chains { chain.dispose() }
    }
}
