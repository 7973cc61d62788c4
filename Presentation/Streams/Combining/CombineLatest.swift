extension ObservableType {
    /// What `resultSelector` makes of the last element of each stream, whenever one of them sends an element and all
    /// have sent one.
    ///
    /// Complete when all streams are, or as soon as one that can still send finds that another ended without a
    /// single element; failed when one fails, or when `resultSelector` throws.
    ///
    /// ```swift
    /// Observable.combineLatest(Observable.of(1, 2), Observable.of(10, 20)) { $0 + $1 }    // 11 12 22 |
    /// ```
    @inlinable
    @preconcurrency
    public static func combineLatest<O1: ObservableType, O2: ObservableType>(
        _ source1: O1, _ source2: O2,
        resultSelector: @escaping @Sendable (O1.Element, O2.Element) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = Combination(of: 2, into: sink.chain)
            let (a, b) = (Slot<O1.Element>(), Slot<O2.Element>())
            let send = sink.sending { try resultSelector(a.element, b.element) }
            all.connect(source1, to: a, send)
            all.connect(source2, to: b, send)
        })
    }

    /// As ``combineLatest(_:_:resultSelector:)``, of three streams.
    @inlinable
    @preconcurrency
    public static func combineLatest<O1: ObservableType, O2: ObservableType, O3: ObservableType>(
        _ source1: O1, _ source2: O2, _ source3: O3,
        resultSelector: @escaping @Sendable (O1.Element, O2.Element, O3.Element) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = Combination(of: 3, into: sink.chain)
            let (a, b, c) = (Slot<O1.Element>(), Slot<O2.Element>(), Slot<O3.Element>())
            let send = sink.sending { try resultSelector(a.element, b.element, c.element) }
            all.connect(source1, to: a, send)
            all.connect(source2, to: b, send)
            all.connect(source3, to: c, send)
        })
    }

    /// As ``combineLatest(_:_:resultSelector:)``, of four streams.
    @inlinable
    @preconcurrency
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        resultSelector: @escaping @Sendable (O1.Element, O2.Element, O3.Element, O4.Element) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = Combination(of: 4, into: sink.chain)
            let (a, b, c, d) = (Slot<O1.Element>(), Slot<O2.Element>(), Slot<O3.Element>(), Slot<O4.Element>())
            let send = sink.sending { try resultSelector(a.element, b.element, c.element, d.element) }
            all.connect(source1, to: a, send)
            all.connect(source2, to: b, send)
            all.connect(source3, to: c, send)
            all.connect(source4, to: d, send)
        })
    }

    /// As ``combineLatest(_:_:resultSelector:)``, of five streams.
    @inlinable
    @preconcurrency
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5,
        resultSelector:
            @escaping @Sendable (O1.Element, O2.Element, O3.Element, O4.Element, O5.Element) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = Combination(of: 5, into: sink.chain)
            let (a, b, c, d, e) = (
                Slot<O1.Element>(), Slot<O2.Element>(), Slot<O3.Element>(), Slot<O4.Element>(),
                Slot<O5.Element>()
            )
            let send = sink.sending { try resultSelector(a.element, b.element, c.element, d.element, e.element) }
            all.connect(source1, to: a, send)
            all.connect(source2, to: b, send)
            all.connect(source3, to: c, send)
            all.connect(source4, to: d, send)
            all.connect(source5, to: e, send)
        })
    }

    /// As ``combineLatest(_:_:resultSelector:)``, of six streams.
    @inlinable
    @preconcurrency
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6,
        resultSelector:
            @escaping @Sendable (
                O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element
            ) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = Combination(of: 6, into: sink.chain)
            let (a, b, c, d, e, f) = (
                Slot<O1.Element>(), Slot<O2.Element>(), Slot<O3.Element>(), Slot<O4.Element>(),
                Slot<O5.Element>(), Slot<O6.Element>()
            )
            let send = sink.sending {
                try resultSelector(
                    a.element, b.element, c.element, d.element, e.element, f.element)
            }
            all.connect(source1, to: a, send)
            all.connect(source2, to: b, send)
            all.connect(source3, to: c, send)
            all.connect(source4, to: d, send)
            all.connect(source5, to: e, send)
            all.connect(source6, to: f, send)
        })
    }

    /// As ``combineLatest(_:_:resultSelector:)``, of seven streams.
    @inlinable
    @preconcurrency
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType, O7: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6, _ source7: O7,
        resultSelector:
            @escaping @Sendable (
                O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element, O7.Element
            ) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = Combination(of: 7, into: sink.chain)
            let (a, b, c, d, e, f, g) = (
                Slot<O1.Element>(), Slot<O2.Element>(), Slot<O3.Element>(), Slot<O4.Element>(),
                Slot<O5.Element>(), Slot<O6.Element>(), Slot<O7.Element>()
            )
            let send = sink.sending {
                try resultSelector(
                    a.element, b.element, c.element, d.element, e.element, f.element, g.element)
            }
            all.connect(source1, to: a, send)
            all.connect(source2, to: b, send)
            all.connect(source3, to: c, send)
            all.connect(source4, to: d, send)
            all.connect(source5, to: e, send)
            all.connect(source6, to: f, send)
            all.connect(source7, to: g, send)
        })
    }

    /// As ``combineLatest(_:_:resultSelector:)``, of eight streams.
    @inlinable
    @preconcurrency
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType, O7: ObservableType, O8: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6, _ source7: O7, _ source8: O8,
        resultSelector:
            @escaping @Sendable (
                O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element, O7.Element, O8.Element
            ) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = Combination(of: 8, into: sink.chain)
            let (a, b, c, d, e, f, g, h) = (
                Slot<O1.Element>(), Slot<O2.Element>(), Slot<O3.Element>(), Slot<O4.Element>(),
                Slot<O5.Element>(), Slot<O6.Element>(), Slot<O7.Element>(), Slot<O8.Element>()
            )
            let send = sink.sending {
                try resultSelector(
                    a.element, b.element, c.element, d.element, e.element, f.element, g.element, h.element)
            }
            all.connect(source1, to: a, send)
            all.connect(source2, to: b, send)
            all.connect(source3, to: c, send)
            all.connect(source4, to: d, send)
            all.connect(source5, to: e, send)
            all.connect(source6, to: f, send)
            all.connect(source7, to: g, send)
            all.connect(source8, to: h, send)
        })
    }
}

extension ObservableType where Element == any Sendable {
    /// The last elements of both streams, whenever one of them sends an element and both have sent one.
    @inlinable
    public static func combineLatest<O1: ObservableType, O2: ObservableType>(
        _ source1: O1, _ source2: O2
    ) -> Observable<(O1.Element, O2.Element)> {
        Observable.combineLatest(source1, source2) { ($0, $1) }
    }

    /// As ``combineLatest(_:_:)``, of three streams.
    @inlinable
    public static func combineLatest<O1: ObservableType, O2: ObservableType, O3: ObservableType>(
        _ source1: O1, _ source2: O2, _ source3: O3
    ) -> Observable<(O1.Element, O2.Element, O3.Element)> {
        Observable.combineLatest(source1, source2, source3) { ($0, $1, $2) }
    }

    /// As ``combineLatest(_:_:)``, of four streams.
    @inlinable
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4
    ) -> Observable<(O1.Element, O2.Element, O3.Element, O4.Element)> {
        Observable.combineLatest(source1, source2, source3, source4) { ($0, $1, $2, $3) }
    }

    /// As ``combineLatest(_:_:)``, of five streams.
    @inlinable
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5
    ) -> Observable<(O1.Element, O2.Element, O3.Element, O4.Element, O5.Element)> {
        Observable.combineLatest(source1, source2, source3, source4, source5) { ($0, $1, $2, $3, $4) }
    }

    /// As ``combineLatest(_:_:)``, of six streams.
    @inlinable
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6
    ) -> Observable<(O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element)> {
        Observable.combineLatest(source1, source2, source3, source4, source5, source6) { ($0, $1, $2, $3, $4, $5) }
    }

    /// As ``combineLatest(_:_:)``, of seven streams.
    @inlinable
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType, O7: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6, _ source7: O7
    ) -> Observable<(O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element, O7.Element)> {
        Observable.combineLatest(
            source1, source2, source3, source4, source5, source6, source7
        ) { ($0, $1, $2, $3, $4, $5, $6) }
    }

    /// As ``combineLatest(_:_:)``, of eight streams.
    @inlinable
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType, O7: ObservableType, O8: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6, _ source7: O7, _ source8: O8
    ) -> Observable<
        (
            O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element, O7.Element, O8.Element
        )
    > {
        Observable.combineLatest(
            source1, source2, source3, source4, source5, source6, source7, source8
        ) { ($0, $1, $2, $3, $4, $5, $6, $7) }
    }
}
