/// What `zip` does between its sources and its sink, apart from the elements themselves.
///
/// - An element waits until every other source has sent its counterpart.
/// - The stream completes when all sources have, or when an element comes from the last source that has not and finds
///   that it can never be paired. It fails when one source fails.
///
/// `@unchecked Sendable`: the counters are touched inside the gate of `confluence` only.
@usableFromInline
final class Pairing: @unchecked Sendable {
    @usableFromInline let confluence: Confluence
    private let upstreams: Upstreams
    /// How many sources have no element waiting.
    @exclusivity(unchecked) @usableFromInline var missing: Int
    /// How many sources have not completed.
    @exclusivity(unchecked) @usableFromInline var running: Int

    @usableFromInline
    init(of count: Int, into downstream: Chain) {
        confluence = Confluence(downstream)
        upstreams = Upstreams(of: downstream)
        missing = count
        running = count
    }

    /// The chain to connect one source with.
    @usableFromInline
    func makeChain() -> Chain {
        let chain = Chain { [self] error in
            if let error { return confluence.finish(error) }
            confluence.pass { [self] in
                running -= 1
                if running == 0 { confluence.chain.complete() }
            }
        }
        upstreams.add(chain)
        return chain
    }

    /// Connects a source: its elements wait, and when none is missing `pair` is called, which takes one of each.
    @inlinable
    func connect<Source: ObservableType>(
        _ source: Source, to waiting: Waiting<Source.Element>, _ pair: @escaping () -> Void
    ) {
        let work: (Source.Element) -> Void = { [self] element in
            waiting.append(element)
            if missing == 0 {
                pair()
            } else if running == 1 {
                confluence.chain.complete()
            }
        }
        let chain = makeChain()
        source.asObservable().run(Sink(chain) { [confluence] in confluence.send($0, work) })
    }
}

/// The elements of one source of a ``Pairing`` that wait for their counterparts.
@usableFromInline
final class Waiting<Element> {
    @usableFromInline let pairing: Pairing
    @exclusivity(unchecked) @usableFromInline var first: Element?
    @exclusivity(unchecked) @usableFromInline var rest = Queue<Element>()

    @inlinable
    init(_ pairing: Pairing) {
        self.pairing = pairing
    }

    @inlinable
    func append(_ element: Element) {
        if first == nil {
            first = element
            pairing.missing -= 1
        } else {
            rest.append(element)
        }
    }

    /// Takes the first element; to be called when no source misses one.
    @inlinable
    func take() -> Element {
        let element = first.unsafelyUnwrapped
        first = rest.popFirst()
        if first == nil { pairing.missing += 1 }
        return element
    }
}
