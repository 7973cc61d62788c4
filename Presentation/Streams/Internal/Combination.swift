/// What `combineLatest` does between its sources and its sink, apart from the elements themselves.
///
/// - While a source has not sent anything, nothing is sent. Once that can never change, the stream completes.
/// - It also completes when all sources have, and fails when one fails.
///
/// `@unchecked Sendable`: the counters are touched inside the gate of `confluence` only.
@usableFromInline
final class Combination: @unchecked Sendable {
    @usableFromInline let confluence: Confluence
    private let upstreams: Upstreams
    /// How many sources have not sent anything.
    @exclusivity(unchecked) @usableFromInline var silent: Int
    /// How many sources have not completed.
    @exclusivity(unchecked) @usableFromInline var running: Int

    @usableFromInline
    init(of count: Int, into downstream: Chain) {
        confluence = Confluence(downstream)
        upstreams = Upstreams(of: downstream)
        silent = count
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

    /// The first element of a source has come, while another is still silent.
    @usableFromInline
    func wait() {
        if running == 1 { confluence.chain.complete() }
    }

    /// Connects a source: each element goes to its slot, and when every slot is filled `combine` is called.
    @inlinable
    func connect<Source: ObservableType>(
        _ source: Source, to slot: Slot<Source.Element>, _ combine: @escaping () -> Void
    ) {
        let work: (Source.Element) -> Void = { [self] element in
            if slot.value == nil { silent -= 1 }
            slot.value = element
            if silent == 0 { combine() } else { wait() }
        }
        let chain = makeChain()
        source.asObservable().run(
            Sink(chain) { [confluence] element in
                if slot.isAlone {
                    if confluence.chain.isLive { work(element) }
                } else if confluence.gate.enter() {
                    slot.isAlone = self.running == 1
                    if confluence.chain.isLive { work(element) }
                    confluence.gate.leave()
                } else {
                    confluence.pass { work(element) }
                }
            })
    }
}

/// The last element of one source of a ``Combination``.
@usableFromInline
final class Slot<Element> {
    @exclusivity(unchecked) @usableFromInline var value: Element?
    /// Whether all other sources have completed, so that there is no one to meet in the gate. Found out inside the
    /// gate by the source itself, at a time when none of its elements waits there; only the source reads it.
    @exclusivity(unchecked) @usableFromInline var isAlone = false

    @inlinable
    init() {}

    /// The element; to be asked for when no source is silent any more.
    @inlinable
    var element: Element { value.unsafelyUnwrapped }
}
