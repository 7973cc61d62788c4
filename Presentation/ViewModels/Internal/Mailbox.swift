public import Synchronization

/// Lets one at a time in, and keeps what the others leave for the one inside, in the order in which they came.
///
/// One word says it all: nobody inside, somebody inside and nothing left for them, or the address of what was left last.
/// Entering and leaving are an atomic exchange each, and nothing is allocated while nobody else comes. No lock is
/// held, ever.
///
/// `@unchecked Sendable`: items are handed over by the releasing and acquiring exchanges of `head`; a node is touched by
/// who made it until it is in the list, and then by who is inside.
@usableFromInline
struct Mailbox<Item>: ~Copyable, @unchecked Sendable {
    /// 0: nobody is inside; 1: somebody is; else the address of the node that was left last. Addresses are even.
    @usableFromInline let head = Atomic<UInt>(0)

    @inlinable
    init() {}

    /// Enters if nobody is inside.
    @inlinable
    func enter() -> Bool {
        head.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    }

    /// Leaves `item` for who is inside; or enters, if nobody is, and leaves nothing.
    ///
    /// - Returns: Whether it entered.
    @inlinable
    func enterOrLeave(_ item: Item) -> Bool {
        if enter() { return true }
        let node = MailNode(item, 1)
        let address = UInt(bitPattern: Unmanaged.passRetained(node).toOpaque())
        var last = head.load(ordering: .relaxed)
        while true {
            if last == 0 {
                if enter() {
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

    /// Goes out if nothing was left meanwhile.
    @inlinable
    func goOut() -> Bool {
        head.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged
    }

    /// Moves all that was left so far behind what `backlog` holds. Only for the one inside.
    @inlinable
    func move(to backlog: inout Backlog<Item>) {
        if head.load(ordering: .relaxed) == 1 { return }
        var next = head.exchange(1, ordering: .acquiringAndReleasing)
        let last = next
        var first: UInt = 1
        while next != 1 {
            Backlog<Item>.node(next)._withUnsafeGuaranteedRef { node in
                let before = node.next
                node.next = first
                first = next
                next = before
            }
        }
        if first != 1 { backlog.append(first, to: last) }
    }

    /// Calls `body` with all that was left and is left meanwhile, in order, and goes out.
    @inlinable
    func empty(_ body: (Item) -> Void) {
        while !goOut() {
            var backlog = Backlog<Item>()
            move(to: &backlog)
            while let item = backlog.popFirst() { body(item) }
        }
    }
}

/// An item that was left in a ``Mailbox``, and what comes before or, in a ``Backlog``, behind it.
@usableFromInline
final class MailNode<Item> {
    @usableFromInline let item: Item
    @usableFromInline var next: UInt

    @inlinable
    init(_ item: Item, _ next: UInt) {
        self.item = item
        self.next = next
    }
}

/// What was taken out of a ``Mailbox`` and waits for its turn, in order. Used by the one inside only; 1 stands for none.
///
/// It owns its nodes, and is emptied before it is let go.
@usableFromInline
struct Backlog<Item> {
    @usableFromInline var first: UInt = 1
    @usableFromInline var last: UInt = 1
    /// The last node that ``popFirst(where:)`` has passed over, along with all before it.
    @usableFromInline var passed: UInt = 1

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
        let node = UInt(bitPattern: Unmanaged.passRetained(MailNode(item, 1)).toOpaque())
        append(node, to: node)
    }

    /// Adds an item behind those that were passed over, where ``popFirst(where:)`` took the last one from.
    @inlinable
    mutating func putBehindPassed(_ item: Item) {
        let next = passed == 1 ? first : Self.node(passed)._withUnsafeGuaranteedRef { $0.next }
        let node = UInt(bitPattern: Unmanaged.passRetained(MailNode(item, next)).toOpaque())
        if passed == 1 { first = node } else { Self.node(passed)._withUnsafeGuaranteedRef { $0.next = node } }
        if next == 1 { last = node }
    }

    /// Takes the first item.
    @inlinable
    mutating func popFirst() -> Item? {
        if first == 1 { return nil }
        if passed == first { passed = 1 }
        let node = Self.node(first).takeRetainedValue()
        first = node.next
        if first == 1 { last = 1 }
        return node.item
    }

    /// Takes the first item for which `isWanted` holds. What it does not hold for is not asked about again.
    @inlinable
    mutating func popFirst(where isWanted: (Item) -> Bool) -> Item? {
        while true {
            let next = passed == 1 ? first : Self.node(passed)._withUnsafeGuaranteedRef { $0.next }
            if next == 1 { return nil }
            if !Self.node(next)._withUnsafeGuaranteedRef({ isWanted($0.item) }) {
                passed = next
                continue
            }
            if passed == 1 { return popFirst() }
            let node = Self.node(next).takeRetainedValue()
            Self.node(passed)._withUnsafeGuaranteedRef { $0.next = node.next }
            if node.next == 1 { last = passed }
            return node.item
        }
    }

    @inlinable
    static func node(_ address: UInt) -> Unmanaged<MailNode<Item>> {
        // An address of `passRetained`, put into the list once and taken out once.
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address)!)
    }
}
