// Written for each number of streams, instead of once with a parameter pack: the compiler (6.3) does not unroll packs,
// which makes an element six times as expensive, and fails to type-check closures that take many arguments from a pack.

extension ObservableType {
    /// Combines the latest elements of the streams with `resultSelector`, whenever one of them emits an element and all
    /// have emitted one.
    ///
    /// Completes when all streams have completed, or when the last active stream emits an element although another one
    /// completed without any. Fails when one stream fails or `resultSelector` throws.
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
            let all = CombineCoordinator(of: 2, into: sink.chain)
            let (a, b) = (CombineLatestSource<O1.Element>(all), CombineLatestSource<O2.Element>(all))
            let send = sink.sending { try resultSelector(a.element, b.element) }
            a.connect(source1, send)
            b.connect(source2, send)
        })
    }

    /// Like ``combineLatest(_:_:resultSelector:)``, for three streams.
    @inlinable
    @preconcurrency
    public static func combineLatest<O1: ObservableType, O2: ObservableType, O3: ObservableType>(
        _ source1: O1, _ source2: O2, _ source3: O3,
        resultSelector: @escaping @Sendable (O1.Element, O2.Element, O3.Element) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = CombineCoordinator(of: 3, into: sink.chain)
            let (a, b, c) = (
                CombineLatestSource<O1.Element>(all), CombineLatestSource<O2.Element>(all),
                CombineLatestSource<O3.Element>(all)
            )
            let send = sink.sending { try resultSelector(a.element, b.element, c.element) }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
        })
    }

    /// Like ``combineLatest(_:_:resultSelector:)``, for four streams.
    @inlinable
    @preconcurrency
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        resultSelector: @escaping @Sendable (O1.Element, O2.Element, O3.Element, O4.Element) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = CombineCoordinator(of: 4, into: sink.chain)
            let (a, b, c, d) = (
                CombineLatestSource<O1.Element>(all), CombineLatestSource<O2.Element>(all),
                CombineLatestSource<O3.Element>(all), CombineLatestSource<O4.Element>(all)
            )
            let send = sink.sending { try resultSelector(a.element, b.element, c.element, d.element) }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
            d.connect(source4, send)
        })
    }

    /// Like ``combineLatest(_:_:resultSelector:)``, for five streams.
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
            let all = CombineCoordinator(of: 5, into: sink.chain)
            let (a, b, c, d, e) = (
                CombineLatestSource<O1.Element>(all), CombineLatestSource<O2.Element>(all),
                CombineLatestSource<O3.Element>(all), CombineLatestSource<O4.Element>(all),
                CombineLatestSource<O5.Element>(all)
            )
            let send = sink.sending { try resultSelector(a.element, b.element, c.element, d.element, e.element) }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
            d.connect(source4, send)
            e.connect(source5, send)
        })
    }

    /// Like ``combineLatest(_:_:resultSelector:)``, for six streams.
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
            let all = CombineCoordinator(of: 6, into: sink.chain)
            let (a, b, c, d, e, f) = (
                CombineLatestSource<O1.Element>(all), CombineLatestSource<O2.Element>(all),
                CombineLatestSource<O3.Element>(all), CombineLatestSource<O4.Element>(all),
                CombineLatestSource<O5.Element>(all), CombineLatestSource<O6.Element>(all)
            )
            let send = sink.sending {
                try resultSelector(
                    a.element, b.element, c.element, d.element, e.element, f.element)
            }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
            d.connect(source4, send)
            e.connect(source5, send)
            f.connect(source6, send)
        })
    }

    /// Like ``combineLatest(_:_:resultSelector:)``, for seven streams.
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
            let all = CombineCoordinator(of: 7, into: sink.chain)
            let (a, b, c, d, e, f, g) = (
                CombineLatestSource<O1.Element>(all), CombineLatestSource<O2.Element>(all),
                CombineLatestSource<O3.Element>(all), CombineLatestSource<O4.Element>(all),
                CombineLatestSource<O5.Element>(all), CombineLatestSource<O6.Element>(all),
                CombineLatestSource<O7.Element>(all)
            )
            let send = sink.sending {
                try resultSelector(
                    a.element, b.element, c.element, d.element, e.element, f.element, g.element)
            }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
            d.connect(source4, send)
            e.connect(source5, send)
            f.connect(source6, send)
            g.connect(source7, send)
        })
    }

    /// Like ``combineLatest(_:_:resultSelector:)``, for eight streams.
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
            let all = CombineCoordinator(of: 8, into: sink.chain)
            let (a, b, c, d, e, f, g, h) = (
                CombineLatestSource<O1.Element>(all), CombineLatestSource<O2.Element>(all),
                CombineLatestSource<O3.Element>(all), CombineLatestSource<O4.Element>(all),
                CombineLatestSource<O5.Element>(all), CombineLatestSource<O6.Element>(all),
                CombineLatestSource<O7.Element>(all), CombineLatestSource<O8.Element>(all)
            )
            let send = sink.sending {
                try resultSelector(
                    a.element, b.element, c.element, d.element, e.element, f.element, g.element, h.element)
            }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
            d.connect(source4, send)
            e.connect(source5, send)
            f.connect(source6, send)
            g.connect(source7, send)
            h.connect(source8, send)
        })
    }
}

extension ObservableType where Element == any Sendable {
    /// Emits the latest elements of both streams, whenever one of them emits an element and both have emitted one.
    ///
    /// ```swift
    /// Observable.combineLatest(Observable.of(1, 2), Observable.just("a"))    // (1, "a") (2, "a") |
    /// ```
    @inlinable
    public static func combineLatest<O1: ObservableType, O2: ObservableType>(
        _ source1: O1, _ source2: O2
    ) -> Observable<(O1.Element, O2.Element)> {
        Observable.combineLatest(source1, source2) { ($0, $1) }
    }

    /// Like ``combineLatest(_:_:)``, for three streams.
    @inlinable
    public static func combineLatest<O1: ObservableType, O2: ObservableType, O3: ObservableType>(
        _ source1: O1, _ source2: O2, _ source3: O3
    ) -> Observable<(O1.Element, O2.Element, O3.Element)> {
        Observable.combineLatest(source1, source2, source3) { ($0, $1, $2) }
    }

    /// Like ``combineLatest(_:_:)``, for four streams.
    @inlinable
    public static func combineLatest<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4
    ) -> Observable<(O1.Element, O2.Element, O3.Element, O4.Element)> {
        Observable.combineLatest(source1, source2, source3, source4) { ($0, $1, $2, $3) }
    }

    /// Like ``combineLatest(_:_:)``, for five streams.
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

    /// Like ``combineLatest(_:_:)``, for six streams.
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

    /// Like ``combineLatest(_:_:)``, for seven streams.
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

    /// Like ``combineLatest(_:_:)``, for eight streams.
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
