import Synchronization

/// Where the sources of `combineLatest` and `zip` meet: their elements pass a ``Gate`` one at a time and are kept by
/// source until there is one of each.
///
/// - The stream below completes when all sources have. Unless the junction is `patient`, it also completes when an
///   element comes from the last source that has not and finds that there never will be one of each.
/// - It fails when one source fails.
///
/// Nothing here depends on the type of the elements, so it is compiled once; see ``Slot`` and ``Waiting``.
///
/// `@unchecked Sendable`: the counters are touched inside the gate only.
@usableFromInline
final class Junction: SourceOwner, @unchecked Sendable {
    @usableFromInline let gate = Gate()
    /// The chain of the sink below.
    @usableFromInline let chain: Chain
    /// Whether only the completion of all sources completes the stream below.
    @usableFromInline let isPatient: Bool
    /// How many sources have no element here.
    @exclusivity(unchecked) @usableFromInline var lacking: Int
    /// How many sources have not completed.
    @exclusivity(unchecked) @usableFromInline var running: Int
    /// The chains of the sources; `nil` once disposed.
    private let upstreams: Mutex<[Chain]?>

    /// Attaches itself to `downstream`.
    @usableFromInline
    init(of count: Int, into downstream: Chain, patient isPatient: Bool = false) {
        chain = downstream
        self.isPatient = isPatient
        lacking = count
        running = count
        var chains: [Chain] = []
        chains.reserveCapacity(count)
        upstreams = Mutex(chains)
        super.init()
        downstream.attach(self)
    }

    /// Takes the chain of a source, before that is connected.
    @usableFromInline
    func add(_ source: SourceChain) {
        let isDisposed = upstreams.withLock { upstreams in
            upstreams?.append(source)
            return upstreams == nil
        }
        if isDisposed { source.dispose() }
    }

    override func sourceEnded(_ error: (any Error)?) {
        if gate.enter() {
            endInside(error)
            gate.leave()
        } else {
            gate.pass { [self] in endInside(error) }
        }
    }

    private func endInside(_ error: (any Error)?) {
        if let error { return chain.fail(error) }
        running -= 1
        if running == 0 { chain.complete() }
    }

    @usableFromInline
    override func dispose() {
        let chains = upstreams.withLock { $0.take() }
        for chain in chains ?? [] { chain.dispose() }
    }
}

/// The last element of one source of `combineLatest`, and the chain of that source.
///
/// `@unchecked Sendable`: `value` is touched inside the gate of the junction only; `isAlone` by the source only, which is
/// serial.
@usableFromInline
final class Slot<Element: Sendable>: SourceChain, @unchecked Sendable {
    @usableFromInline let junction: Junction
    @exclusivity(unchecked) @usableFromInline var value: Element?
    /// Whether all other sources have completed, so that there is no one to meet in the gate. Found out inside the
    /// gate by the source itself, at a time when none of its elements waits there; only the source reads it.
    @exclusivity(unchecked) @usableFromInline var isAlone = false

    @inlinable
    init(_ junction: Junction) {
        self.junction = junction
        super.init(of: junction)
    }

    /// The element; to be asked for when no source is lacking.
    @inlinable
    var element: Element { value.unsafelyUnwrapped }

    /// Connects the source. At each of its elements `combine` is called, unless a source is lacking.
    @inlinable
    func connect(_ source: some ObservableType<Element>, _ combine: @escaping () -> Void) {
        junction.add(self)
        let source = source.asObservable()
        if case .created = source.kind {
            source.run(toSerialising: Sink(self) { self.receiveThroughGate($0, combine) })
        } else {
            source.run(Sink(self) { self.receive($0, combine) })
        }
    }

    /// Receives an element of a source that is serial.
    @inlinable
    func receive(_ element: Element, _ combine: @escaping () -> Void) {
        if isAlone {
            take(element, combine)
        } else if junction.gate.enter() {
            isAlone = junction.running == 1
            take(element, combine)
            junction.gate.leave()
        } else {
            junction.gate.pass { self.take(element, combine) }
        }
    }

    /// Receives an element of a source that may be several threads.
    @inlinable
    func receiveThroughGate(_ element: Element, _ combine: @escaping () -> Void) {
        if junction.gate.enter() {
            take(element, combine)
            junction.gate.leave()
        } else {
            junction.gate.pass { self.take(element, combine) }
        }
    }

    @inlinable
    func take(_ element: Element, _ combine: () -> Void) {
        guard junction.chain.isLive else { return }
        if value == nil { junction.lacking -= 1 }
        value = element
        if junction.lacking == 0 {
            combine()
        } else if junction.running == 1 {
            junction.chain.complete()
        }
    }
}

/// The elements of one source of `zip` that wait for their counterparts, and the chain of that source.
///
/// `@unchecked Sendable`: what is mutable is touched inside the gate of the junction only.
@usableFromInline
final class Waiting<Element: Sendable>: SourceChain, @unchecked Sendable {
    @usableFromInline let junction: Junction
    @exclusivity(unchecked) @usableFromInline var first: Element?
    @exclusivity(unchecked) @usableFromInline var rest = Queue<Element>()

    @inlinable
    init(_ junction: Junction) {
        self.junction = junction
        super.init(of: junction)
    }

    /// Takes the first element; to be called when no source is lacking.
    @inlinable
    func take() -> Element {
        let element = first.unsafelyUnwrapped
        first = rest.popFirst()
        if first == nil { junction.lacking += 1 }
        return element
    }

    /// Connects the source. When there is an element of each, `pair` is called, which takes them.
    @inlinable
    func connect(_ source: some ObservableType<Element>, _ pair: @escaping () -> Void) {
        junction.add(self)
        source.asObservable().run(toSerialising: Sink(self) { self.receive($0, pair) })
    }

    @inlinable
    func receive(_ element: Element, _ pair: @escaping () -> Void) {
        if junction.gate.enter() {
            append(element, pair)
            junction.gate.leave()
        } else {
            junction.gate.pass { self.append(element, pair) }
        }
    }

    @inlinable
    func append(_ element: Element, _ pair: () -> Void) {
        guard junction.chain.isLive else { return }
        if first == nil {
            first = element
            junction.lacking -= 1
        } else if junction.running > 1 || junction.lacking == 0 {
            rest.append(element)
        }  // else no counterpart can come any more, neither for this element nor for the ones before
        if junction.lacking == 0 {
            pair()
        } else if junction.running == 1, !junction.isPatient {
            junction.chain.complete()
        }
    }
}
