import Synchronization

/// The shared state of one subscription to `combineLatest` or `zip`: elements pass a ``Gate`` one at a time and are
/// stored for each source until every source has one.
///
/// On disposal it releases its sources; until then it and they retain each other.
///
/// - The result completes when all sources have completed. Unless `waitsForAllCompletions` is set, it also completes
///   when the only remaining source emits an element although another source will never have one.
/// - The result fails when a source fails.
///
/// This class does not depend on the element types, so it is compiled once; see ``CombineLatestSource`` and
/// ``ZipSource``.
///
/// `@unchecked Sendable`: the counters are accessed only inside the gate or, once all other sources have completed,
/// only by the remaining source.
@usableFromInline
final class CombineCoordinator: DisposeBase, @unchecked Sendable {
    private struct Sources {
        /// The chains of the sources in the order in which they were added.
        var first: CombineSource?
        var last: CombineSource?
        var isDisposed = false
    }

    private let resource = Resources.Counted()
    @usableFromInline let gate = Gate()
    @usableFromInline let chain: Chain
    /// Whether the result completes only when all sources have completed.
    @usableFromInline let waitsForAllCompletions: Bool
    /// The number of sources without a stored element.
    @exclusivity(unchecked) @usableFromInline var missingCount: Int
    /// The number of sources that have not completed.
    @exclusivity(unchecked) @usableFromInline var activeCount: Int
    private let sources = Mutex(Sources())

    /// Creates the coordinator and attaches it to `downstream`.
    @usableFromInline
    init(of count: Int, into downstream: Chain, waitingForAllCompletions waitsForAllCompletions: Bool = false) {
        chain = downstream
        self.waitsForAllCompletions = waitsForAllCompletions
        missingCount = count
        activeCount = count
        downstream.attach(self)
    }

    /// Adds the chain of a source. Called before that source is connected.
    @usableFromInline
    func add(_ source: CombineSource) {
        let isDisposed = sources.withLock { sources in
            if sources.isDisposed { return true }
            if let last = sources.last { last.following = source } else { sources.first = source }
            sources.last = source
            return false
        }
        if isDisposed { source.dispose() }
    }

    @usableFromInline
    func sourceEnded(_ error: (any Error)?) {
        if gate.enter() {
            terminate(error)
            gate.leave()
        } else {
            gate.pass { [self] in terminate(error) }
        }
    }

    private func terminate(_ error: (any Error)?) {
        if let error { return chain.fail(error) }
        activeCount -= 1
        if activeCount == 0 { chain.complete() }
    }

    @usableFromInline
    func dispose() {
        let (first, last) = sources.withLock { sources in
            sources.isDisposed = true
            return (sources.first.take(), sources.last.take())
        }
        var next = first
        while let source = next {
            next = source.following.take()  // nothing is added once this is disposed
            source.dispose()
        }
        withExtendedLifetime(last) {}  // released after the lock
    }
}

/// The chain of one source of a ``CombineCoordinator``.
///
/// `@unchecked Sendable`: the lock of the coordinator guards `following` until it is disposed; then only the disposing
/// thread accesses it. `gatelessCount` is set before the source is connected. The rest is constant.
@usableFromInline
class CombineSource: Chain, @unchecked Sendable {
    @usableFromInline final let coordinator: CombineCoordinator
    /// The number of active sources from which on `combineLatest` does not need the gate: 0, so never, if this source may
    /// send from several threads.
    @exclusivity(unchecked) @usableFromInline final var gatelessCount = 1
    /// The chain of the source that was added next.
    @exclusivity(unchecked) fileprivate final var following: CombineSource?

    @usableFromInline
    init(_ coordinator: CombineCoordinator) {
        self.coordinator = coordinator
        super.init()
    }

    final override func ended(_ error: (any Error)?) { coordinator.sourceEnded(error) }

    /// Connects the source, whose elements call `receive`.
    // Compiled once.
    @usableFromInline
    final func connect<Element: Sendable>(
        _ source: Observable<Element>, isSerialising: Bool, _ receive: @escaping (Element) -> Void
    ) {
        coordinator.add(self)
        source.connect(Sink(self, isSerialising: isSerialising, next: receive))
    }

    /// Like ``connect(_:isSerialising:_:)``, for `combineLatest`.
    @usableFromInline
    final func connectLatest<Element: Sendable>(
        _ source: Observable<Element>, _ receive: @escaping (Element) -> Void
    ) {
        let isCreated = source.kind == .created
        if isCreated { gatelessCount = 0 }
        connect(source, isSerialising: isCreated, receive)
    }
}

/// The chain and the latest element of one source of `combineLatest`.
///
/// `@unchecked Sendable`: `value` is accessed only inside the gate of the coordinator or, once all other sources have
/// completed, only by this source. `isOnlySource` is accessed only by this source; only a serial source uses it.
@usableFromInline
final class CombineLatestSource<Element: Sendable>: CombineSource, @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var value: Element?
    /// Whether all other sources have completed, so that the gate is not needed. The source determines this inside the
    /// gate, when none of its own elements is enqueued there; only the source reads it.
    @exclusivity(unchecked) @usableFromInline var isOnlySource = false

    @inlinable
    override init(_ coordinator: CombineCoordinator) { super.init(coordinator) }

    /// The latest element. Accessed only when every source has one.
    @inlinable
    var latest: Element { value.unsafelyUnwrapped }

    /// Connects the source. Each of its elements calls `combine`, provided that every source has an element.
    @inlinable
    func connect(_ source: Observable<Element>, _ combine: @escaping () throws -> Void) {
        connectLatest(source) { self.receive($0, combine) }
    }

    @inlinable
    func receive(_ element: Element, _ combine: @escaping () throws -> Void) {
        if isOnlySource {
            store(element, combine)
        } else if coordinator.gate.enter() {
            isOnlySource = coordinator.activeCount == gatelessCount
            store(element, combine)
            coordinator.gate.leave()
        } else {
            storeLater(element, combine)
        }
    }

    @usableFromInline
    func storeLater(_ element: Element, _ combine: @escaping () throws -> Void) {
        coordinator.gate.pass { self.store(element, combine) }
    }

    @inlinable
    func store(_ element: Element, _ combine: () throws -> Void) {
        guard coordinator.chain.isLive else { return }
        if value == nil { coordinator.missingCount -= 1 }
        value = element
        if coordinator.missingCount == 0 {
            do { try combine() } catch { coordinator.chain.fail(error) }
        } else if coordinator.activeCount == 1 {
            coordinator.chain.complete()
        }
    }
}

/// The chain of one source of `zip`, and its elements that wait for their counterparts.
///
/// `@unchecked Sendable`: mutable state is accessed only inside the gate of the coordinator.
@usableFromInline
final class ZipSource<Element: Sendable>: CombineSource, @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var first: Element?
    @exclusivity(unchecked) @usableFromInline var rest = Queue<Element>()

    @inlinable
    override init(_ coordinator: CombineCoordinator) { super.init(coordinator) }

    /// Removes and returns the first element. Called only when every source has one.
    @inlinable
    func take() -> Element {
        let element = first.unsafelyUnwrapped
        first = rest.popFirst()
        if first == nil { coordinator.missingCount += 1 }
        return element
    }

    /// Connects the source. When every source has an element, calls `pair`, which removes them.
    @inlinable
    func connect(_ source: Observable<Element>, _ pair: @escaping () throws -> Void) {
        connect(source, isSerialising: true) { self.receive($0, pair) }
    }

    @inlinable
    func receive(_ element: Element, _ pair: @escaping () throws -> Void) {
        if coordinator.gate.enter() {
            append(element, pair)
            coordinator.gate.leave()
        } else {
            appendLater(element, pair)
        }
    }

    @usableFromInline
    func appendLater(_ element: Element, _ pair: @escaping () throws -> Void) {
        coordinator.gate.pass { self.append(element, pair) }
    }

    @inlinable
    func append(_ element: Element, _ pair: () throws -> Void) {
        guard coordinator.chain.isLive else { return }
        if first == nil {
            first = element
            coordinator.missingCount -= 1
        } else if coordinator.activeCount > 1 || coordinator.missingCount == 0 {
            rest.append(element)
        }  // otherwise no counterpart can arrive, neither for this element nor for earlier ones
        if coordinator.missingCount == 0 {
            do { try pair() } catch { coordinator.chain.fail(error) }
        } else if coordinator.activeCount == 1, !coordinator.waitsForAllCompletions {
            coordinator.chain.complete()
        }
    }
}
