public import Synchronization

/// A lock-free multi-producer queue with one drainer: one thread owns it at a time, and the others enqueue items for
/// that owner, in the order in which they arrive.
///
/// One atomic word holds the whole state: unowned, owned and empty, or the address of the node that was enqueued last.
/// Acquiring and enqueuing take one atomic exchange each, and nothing is allocated without contention. No lock is held.
///
/// `@unchecked Sendable`: the releasing and acquiring exchanges of `head` transfer the items; only the thread
/// that created a node accesses it until it is in the list, and only the owner afterwards.
@usableFromInline
struct DrainQueue<Item>: ~Copyable, @unchecked Sendable {
    /// 0: unowned; 1: owned and empty; otherwise the address of the node that was enqueued last. Addresses are even.
    @usableFromInline let head = Atomic<UInt>(0)

    @inlinable
    init() {}

    /// Acquires the queue if no thread owns it.
    @inlinable
    func tryAcquire() -> Bool {
        head.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    }

    /// Enqueues `item` for the owner; or acquires the queue, if no thread owns it, and enqueues nothing.
    ///
    /// - Returns: Whether it acquired the queue.
    @inlinable
    func acquireOrEnqueue(_ item: Item) -> Bool {
        if tryAcquire() { return true }
        let node = DrainQueueNode(item, 1)
        let address = UInt(bitPattern: Unmanaged.passRetained(node).toOpaque())
        var last = head.load(ordering: .relaxed)
        while true {
            if last == 0 {
                if tryAcquire() {
                    Unmanaged.passUnretained(node).release()
                    return true
                }
                last = head.load(ordering: .relaxed)
                continue
            }
            node.next = last
            let attempt = head.weakCompareExchange(expected: last, desired: address, ordering: .releasing)
            if attempt.exchanged { return false }
            last = attempt.original
        }
    }

    /// Releases the queue if it is empty. For the owner only.
    @inlinable
    func releaseIfEmpty() -> Bool {
        head.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged
    }

    /// Moves all enqueued items to the end of `pending`. For the owner only.
    @inlinable
    func dequeueAll(into pending: inout LinkedQueue<Item>) {
        if head.load(ordering: .relaxed) == 1 { return }
        var next = head.exchange(1, ordering: .acquiringAndReleasing)
        let last = next
        var first: UInt = 1
        while next != 1 {
            LinkedQueue<Item>.node(next)._withUnsafeGuaranteedRef { node in
                let before = node.next
                node.next = first
                first = next
                next = before
            }
        }
        if first != 1 { pending.append(first, to: last) }
    }

    /// Calls `body` with each enqueued item in order, including those that arrive meanwhile, and releases the queue.
    @inlinable
    func drain(_ body: (Item) -> Void) {
        while !releaseIfEmpty() {
            var pending = LinkedQueue<Item>()
            dequeueAll(into: &pending)
            while let item = pending.popFirst() { body(item) }
        }
    }
}

/// A node of a ``DrainQueue``, linked to its predecessor, or of a ``LinkedQueue``, linked to its successor.
@usableFromInline
final class DrainQueueNode<Item> {
    @usableFromInline let item: Item
    @usableFromInline var next: UInt

    @inlinable
    init(_ item: Item, _ next: UInt) {
        self.item = item
        self.next = next
    }
}

/// The items that the owner took out of a ``DrainQueue``, first in, first out. For the owner only; the address 1 stands
/// for no node.
///
/// It owns its nodes and must be empty when it is released.
@usableFromInline
struct LinkedQueue<Item> {
    @usableFromInline var first: UInt = 1
    @usableFromInline var last: UInt = 1
    /// The last node that ``popFirst(where:)`` skipped, along with all before it.
    @usableFromInline var skipped: UInt = 1

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { first == 1 }

    /// Adds a chain of nodes at the end.
    @inlinable
    mutating func append(_ chain: UInt, to end: UInt) {
        if first == 1 { first = chain } else { Self.node(last)._withUnsafeGuaranteedRef { $0.next = chain } }
        last = end
    }

    /// Adds an item at the end.
    @inlinable
    mutating func append(_ item: Item) {
        let node = UInt(bitPattern: Unmanaged.passRetained(DrainQueueNode(item, 1)).toOpaque())
        append(node, to: node)
    }

    /// Inserts an item behind the skipped ones, where ``popFirst(where:)`` removed the last one.
    @inlinable
    mutating func insertAfterSkipped(_ item: Item) {
        let next = skipped == 1 ? first : Self.node(skipped)._withUnsafeGuaranteedRef { $0.next }
        let node = UInt(bitPattern: Unmanaged.passRetained(DrainQueueNode(item, next)).toOpaque())
        if skipped == 1 { first = node } else { Self.node(skipped)._withUnsafeGuaranteedRef { $0.next = node } }
        if next == 1 { last = node }
    }

    /// Removes and returns the first item.
    @inlinable
    mutating func popFirst() -> Item? {
        if first == 1 { return nil }
        if skipped == first { skipped = 1 }
        let node = Self.node(first).takeRetainedValue()
        first = node.next
        if first == 1 { last = 1 }
        return node.item
    }

    /// Removes and returns the first item that satisfies `isWanted`. An item that does not is skipped, and not tested
    /// again.
    @inlinable
    mutating func popFirst(where isWanted: (Item) -> Bool) -> Item? {
        while true {
            let next = skipped == 1 ? first : Self.node(skipped)._withUnsafeGuaranteedRef { $0.next }
            if next == 1 { return nil }
            if !Self.node(next)._withUnsafeGuaranteedRef({ isWanted($0.item) }) {
                skipped = next
                continue
            }
            if skipped == 1 { return popFirst() }
            let node = Self.node(next).takeRetainedValue()
            Self.node(skipped)._withUnsafeGuaranteedRef { $0.next = node.next }
            if node.next == 1 { last = skipped }
            return node.item
        }
    }

    @inlinable
    static func node(_ address: UInt) -> Unmanaged<DrainQueueNode<Item>> {
        // An address of `passRetained`, inserted into the list once and removed once.
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address)!)
    }
}
