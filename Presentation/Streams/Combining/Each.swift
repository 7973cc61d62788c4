/// The forms of `combineLatest` and `zip` for any number of streams, for the traits.
///
/// Those of ``Observable`` are written out for each number of streams, because the compiler does not yet unroll
/// parameter packs: these are slower by 30 ns an element.
extension Observable {
    static func combineLatest<each Source: Sendable>(
        each source: repeat Observable<each Source>,
        resultSelector: @escaping @Sendable (repeat each Source) throws -> Element
    ) -> Observable<Element> {
        var count = 0
        for _ in repeat each source { count += 1 }
        return Observable(run: { [count] sink in
            let all = Junction(of: count, into: sink.chain)
            let slots = (repeat Slot(all, of: each source))
            let send = sink.sending { try resultSelector(repeat (each slots).element) }
            repeat (each slots).connect(each source, send)
        })
    }

    static func zip<each Source: Sendable>(
        each source: repeat Observable<each Source>,
        resultSelector: @escaping @Sendable (repeat each Source) throws -> Element
    ) -> Observable<Element> {
        var count = 0
        for _ in repeat each source { count += 1 }
        return Observable(run: { [count] sink in
            let all = Junction(of: count, into: sink.chain)
            let waiting = (repeat Waiting(all, of: each source))
            let send = sink.sending { try resultSelector(repeat (each waiting).take()) }
            repeat (each waiting).connect(each source, send)
        })
    }
}

extension Slot {
    fileprivate convenience init(_ junction: Junction, of source: Observable<Element>) {
        self.init(junction)
    }
}

extension Waiting {
    fileprivate convenience init(_ junction: Junction, of source: Observable<Element>) {
        self.init(junction)
    }
}
