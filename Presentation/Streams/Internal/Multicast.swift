import Synchronization

/// Sends what it is given to many sinks, in one order for all: what subjects are made of.
///
/// Everything happens inside one ``Gate``: deliveries, new and leaving sinks, and the end. A delivery walks over
/// the sinks without retaining them or the list: the list changes only inside the gate, at a time when no delivery
/// is under way, except that a subscription made *by* a delivery is appended behind the part it walks over.
///
/// The list is not generic, so that its code is compiled once, here; only ``Node`` knows the type of elements.
///
/// `@unchecked Sendable`: all mutable state is touched inside the gate only.
@usableFromInline
final class Multicast: @unchecked Sendable {
    /// What a subscriber meets.
    @usableFromInline
    enum State {
        case open
        case ended((any Error)?)
        case disposed
    }

    @usableFromInline let gate = Gate()
    @exclusivity(unchecked) @usableFromInline private(set) var nodes: UnsafeMutablePointer<Unmanaged<AnyNode>>
    @exclusivity(unchecked) @usableFromInline private(set) var count = 0
    @exclusivity(unchecked) private var capacity = 1
    @exclusivity(unchecked) private var nextNumber: UInt64 = 0
    @exclusivity(unchecked) private var state = State.open
    /// The type of the subject that this is part of: what is named when it is used after it was disposed.
    private let owner: Any.Type
    /// The number of sinks, for whoever asks from outside the gate.
    private let publicCount = Atomic(0)
    /// The state, for whoever asks from outside the gate: 0 open, 1 ended, 2 disposed.
    private let publicState = Atomic<UInt8>(0)

    @usableFromInline
    init(of owner: Any.Type = Multicast.self) {
        self.owner = owner
        nodes = .allocate(capacity: 1)
    }

    deinit {
        for index in 0..<count { nodes[index].release() }
        nodes.deallocate()
    }

    var hasObservers: Bool { publicCount.load(ordering: .acquiring) > 0 }
    var isDisposed: Bool { publicState.load(ordering: .acquiring) == 2 }
    /// Whether elements are still of any use.
    @usableFromInline var isOpen: Bool { publicState.load(ordering: .acquiring) == 0 }
}

// MARK: - Sending

extension Multicast {
    /// Sends an element to every sink that is there.
    @inlinable
    func send<Element>(_ element: Element) {
        if gate.enter() {
            deliver(element)
            gate.leave()
        } else {
            gate.pass { self.deliver(element) }
        }
    }

    /// Sends an element to every sink that is there; inside the gate.
    @inlinable
    func deliver<Element>(_ element: Element) {
        let nodes = nodes
        let count = count
        var index = 0
        while index < count {
            // Neither the list nor its nodes go away while a delivery is under way (see above).
            nodes[index]._withUnsafeGuaranteedRef { node in
                if node.chain.isLive { unsafeDowncast(node, to: Node<Element>.self).next(element) }
            }
            index &+= 1
        }
    }

    /// Ends every sink, and from now on every sink that is added.
    @usableFromInline
    func finish(_ error: (any Error)?) {
        gate.pass { self.finishInside(error) }
    }

    /// The same, inside the gate.
    @usableFromInline
    func finishInside(_ error: (any Error)?) {
        guard case .open = state else { return }
        state = .ended(error)
        publicState.store(1, ordering: .releasing)
        for node in takeNodes() { node.chain.finish(error) }
    }

    /// Lets every sink go without a word; from now on subscribing is an error.
    func dispose() {
        gate.pass { [self] in
            state = .disposed
            publicState.store(2, ordering: .releasing)
            for node in takeNodes() { node.chain.dispose() }
        }
    }

    /// Lets every sink go without a word, for no one is left who could send.
    @usableFromInline
    func close() {
        if hasObservers { gate.pass { for node in self.takeNodes() { node.chain.dispose() } } }
    }
}

// MARK: - The list

extension Multicast {
    /// Adds a sink; before anything is sent to it, `replay` may send it what it missed.
    ///
    /// Inside a delivery of this thread it is added at once, behind those that the delivery goes to.
    @inlinable
    func add(_ node: AnyNode, replay: @escaping () -> Void = {}) {
        if gate.enter() {
            addInside(node, replay)
            gate.leave()
        } else if gate.isEnteredByCurrentThread {
            addInside(node, replay)
        } else {
            gate.pass { self.addInside(node, replay) }
        }
    }

    @usableFromInline
    func addInside(_ node: AnyNode, _ replay: () -> Void) {
        switch state {
        case .open:
            append(node)
            node.chain.attach(node)
            replay()
        case .ended(let error):
            replay()
            node.chain.finish(error)
        case .disposed:
            node.chain.fail(RxError.disposed(object: DisposedSubject(type: owner)))
        }
    }

    fileprivate func remove(_ node: AnyNode) {
        if gate.enter() {
            erase(node)
            gate.leave()
        } else {
            gate.pass { self.erase(node) }
        }
    }

    private func append(_ node: AnyNode) {
        if count == capacity {
            let old = nodes
            capacity *= 2
            nodes = .allocate(capacity: capacity)
            nodes.update(from: old, count: count)
            gate.pass { old.deallocate() }  // a delivery may be walking over it
        }
        node.number = nextNumber
        nextNumber += 1
        nodes[count] = .passRetained(node)
        count += 1
        publicCount.store(count, ordering: .releasing)
    }

    /// Numbers grow along the list, so a node is found by bisection.
    private func erase(_ node: AnyNode) {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if nodes[middle].takeUnretainedValue().number < node.number { low = middle + 1 } else { high = middle }
        }
        guard low < count, nodes[low].takeUnretainedValue() === node else { return }
        let erased = nodes[low]
        (nodes + low).update(from: nodes + low + 1, count: count - low - 1)
        count -= 1
        publicCount.store(count, ordering: .releasing)
        erased.release()
    }

    private func takeNodes() -> [AnyNode] {
        let taken = (0..<count).map { nodes[$0].takeRetainedValue() }
        count = 0
        publicCount.store(0, ordering: .releasing)
        return taken
    }
}

/// Stands in an error for a subject that was disposed, and is described as it is.
private final class DisposedSubject: CustomStringConvertible, Sendable {
    private let type: Any.Type

    init(type: Any.Type) {
        self.type = type
    }

    var description: String { String(reflecting: type) }
}

/// One subscription's place in the list of a ``Multicast``.
@usableFromInline
class AnyNode: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: all but `number` is a `let` of a `Sendable` type, and that is touched inside the gate only.

    @usableFromInline let chain: Chain
    @usableFromInline let multicast: Multicast
    /// What else is disposed with the subscription.
    @usableFromInline let lease: DisposeBase?
    /// Where it stands in the list; set once, inside the gate.
    fileprivate var number: UInt64 = 0

    @inlinable
    init(_ chain: Chain, in multicast: Multicast, lease: DisposeBase?) {
        self.chain = chain
        self.multicast = multicast
        self.lease = lease
    }

    @usableFromInline
    final override func dispose() {
        multicast.remove(self)
        lease?.dispose()
    }
}

/// A node that knows the type of its elements.
@usableFromInline
final class Node<Element>: AnyNode, @unchecked Sendable {
    // `@unchecked Sendable`: `next` is that of a sink, and called inside the gate only, one element at a time.

    @usableFromInline let next: (Element) -> Void

    @inlinable
    init(_ sink: Sink<Element>, in multicast: Multicast, lease: DisposeBase? = nil) {
        next = sink.next
        super.init(sink.chain, in: multicast, lease: lease)
    }
}
