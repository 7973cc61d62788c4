/// The elements that a stateful subject stores for later observers.
///
/// Accessed under the lock of a ``Multicast``: no method calls user code or releases an element, except `replay`, which
/// runs outside the lock.
@usableFromInline
protocol ElementStore: AnyObject {
    associatedtype Element: Sendable
    associatedtype Snapshot: Sendable

    /// Stores an element.
    ///
    /// - Returns: The replaced element, which the caller releases after the lock.
    func store(_ element: Element) -> Element?

    /// The elements to replay to an observer that subscribes now; `nil` if there are none.
    func snapshot(for lifecycle: Multicast.Lifecycle) -> Snapshot?

    /// Sends the elements of a snapshot, oldest first. Called outside the lock.
    func replay(_ snapshot: Snapshot, to next: (Element) -> Void)
}

extension ElementStore where Snapshot == Element {
    @inlinable
    func replay(_ snapshot: Element, to next: (Element) -> Void) { next(snapshot) }
}

/// The multicast of a `BehaviorSubject`, with its current element.
///
/// `@unchecked Sendable`: its own lock guards `element`.
@usableFromInline
final class BehaviorMulticast<Element: Sendable>: Multicast, ElementStore, @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var element: Element

    @inlinable
    init(_ element: Element, of owner: Any.Type) {
        self.element = element
        super.init(of: owner)
    }

    @inlinable
    func store(_ element: Element) -> Element? {
        let evicted = self.element
        self.element = element
        return evicted
    }

    @inlinable
    func snapshot(for lifecycle: Multicast.Lifecycle) -> Element? {
        if case .open = lifecycle { element } else { nil }
    }

    /// Adds a node and replays the current element to it, like ``Multicast/add(_:replaying:)``.
    // Compiled once: it is called once for each subscription. An optional would need a look-up of its metadata; the memory in
    // its place is initialized if and only if `hasElement` is set.
    @usableFromInline
    func addReplaying(_ node: Node<Element>) {
        withUnsafeTemporaryAllocation(of: Element.self, capacity: 1) { copy in
            var hasElement = false
            let entry = beginAdding(node) { lifecycle in
                guard case .open = lifecycle else { return false }
                copy.initializeElement(at: 0, to: element)
                hasElement = true
                return true
            }
            if hasElement, node.chain.isLive { node.next(copy[0]) }
            endAdding(node, entry)
            if hasElement { copy.deinitializeElement(at: 0) }
        }
    }
}

/// The element that an `AsyncSubject` emits on completion: the last one.
///
/// `@unchecked Sendable`: guarded by the lock of its multicast.
@usableFromInline
final class FinalElement<Element: Sendable>: ElementStore, @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var element: Element?

    @inlinable
    init() {}

    @inlinable
    func store(_ element: Element) -> Element? {
        let evicted = self.element
        self.element = element
        return evicted
    }

    @inlinable
    func snapshot(for lifecycle: Multicast.Lifecycle) -> Element? {
        if case .ended(nil) = lifecycle { element } else { nil }
    }
}

/// The last elements of a stream.
///
/// `@unchecked Sendable`: guarded by the lock of its multicast.
@usableFromInline
final class ReplayBuffer<Element: Sendable>: ElementStore, @unchecked Sendable {
    @usableFromInline
    struct Snapshot: Sendable {
        @usableFromInline let elements: [Element]
        @usableFromInline let oldest: Int

        @inlinable
        init(_ elements: [Element], _ oldest: Int) {
            self.elements = elements
            self.oldest = oldest
        }
    }

    @usableFromInline let capacity: Int
    @exclusivity(unchecked) @usableFromInline var elements: [Element] = []
    /// The index of the oldest element once the buffer is full.
    @exclusivity(unchecked) @usableFromInline var oldest = 0

    /// Creates a buffer of the last `capacity` elements.
    @inlinable
    init(capacity: Int) { self.capacity = capacity }

    @inlinable
    func store(_ element: Element) -> Element? {
        if elements.count < capacity {
            elements.append(element)
            return nil
        }
        if capacity == 0 { return nil }
        let evicted = elements[oldest]
        elements[oldest] = element
        oldest = oldest &+ 1 == capacity ? 0 : oldest &+ 1
        return evicted
    }

    @inlinable
    func snapshot(for lifecycle: Multicast.Lifecycle) -> Snapshot? {
        if elements.isEmpty { return nil }
        if case .disposed = lifecycle { return nil }
        return Snapshot(elements, oldest)
    }

    @inlinable
    func replay(_ snapshot: Snapshot, to next: (Element) -> Void) {
        for element in snapshot.elements[snapshot.oldest...] { next(element) }
        for element in snapshot.elements[..<snapshot.oldest] { next(element) }
    }

    /// Removes and returns all elements, which the caller releases after the lock.
    @usableFromInline
    func removeAll() -> [Element] {
        defer { (elements, oldest) = ([], 0) }
        return elements
    }
}
