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
    @usableFromInline
    final class Node {
        @usableFromInline let item: Item
        @usableFromInline var next: UInt

        @inlinable
        init(_ item: Item, _ next: UInt) {
            self.item = item
            self.next = next
        }
    }

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
        let node = Node(item, 1)
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

    /// Calls `body` with all that was left and is left meanwhile, in order, and goes out.
    @inlinable
    func empty(_ body: (Item) -> Void) {
        while !goOut() {
            var last = head.exchange(1, ordering: .acquiringAndReleasing)
            var first: UInt = 1
            while last != 1 {
                Self.node(last)._withUnsafeGuaranteedRef { node in
                    let next = node.next
                    node.next = first
                    first = last
                    last = next
                }
            }
            while first != 1 {
                let node = Self.node(first).takeRetainedValue()
                first = node.next
                body(node.item)
            }
        }
    }

    @inlinable
    static func node(_ address: UInt) -> Unmanaged<Node> {
        // An address of `passRetained`, put into the list once and taken out once.
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address)!)
    }
}
