/// A doubly linked list of objects that hold their own links: constant-time operations, and no allocation for an entry.
///
/// The owner of the list guards its use and the links of its nodes by one lock.
@usableFromInline
package struct LinkedList<Node: LinkedNode> {
    @usableFromInline var first: Node?
    @usableFromInline package var count = 0

    @inlinable
    package init() {}

    @inlinable
    package mutating func insert(_ node: Node) {
        first?.links.previous = .passUnretained(node)
        node.links.next = first.take()
        first = node
        node.links.isListed = true
        count += 1
    }

    /// - Returns: Whether the node was in the list.
    @discardableResult
    @inlinable
    package mutating func remove(_ node: Node) -> Bool {
        guard node.links.isListed else { return false }
        node.links.isListed = false
        count -= 1
        let next = node.links.next.take()
        next?.links.previous = node.links.previous
        if let previous = node.links.previous {
            previous.takeUnretainedValue().links.next = next
        } else {
            first = next
        }
        node.links.previous = nil
        return true
    }

    /// The nodes in the order of insertion.
    @inlinable
    package var nodes: [Node] {
        var nodes: [Node] = []
        var node = first
        while let current = node {
            nodes.append(current)
            node = current.links.next
        }
        return nodes.reversed()
    }

    /// Removes and returns all nodes, in the order of insertion. Iterative, because releasing a long list recursively
    /// would exhaust the stack.
    @inlinable
    package mutating func removeAll() -> [Node] {
        let nodes = nodes
        for node in nodes { remove(node) }
        return nodes
    }
}

/// An object that is in one ``LinkedList`` at most.
@usableFromInline
package protocol LinkedNode: AnyObject {
    var links: Links<Self> { get set }
}

/// The links of a node, which only its list uses.
@usableFromInline
package struct Links<Node: AnyObject> {
    @usableFromInline var next: Node?
    @usableFromInline var previous: Unmanaged<Node>?
    @usableFromInline var isListed = false

    @inlinable
    package init() {}
}
