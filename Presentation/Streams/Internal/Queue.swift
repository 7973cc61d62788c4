/// A first-in, first-out queue: constant time at both ends, amortised.
@usableFromInline
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    @usableFromInline
    init() {}

    @usableFromInline
    var isEmpty: Bool { head == elements.count }

    @usableFromInline
    var count: Int { elements.count - head }

    @usableFromInline
    var first: Element? { isEmpty ? nil : elements[head] }

    @usableFromInline
    mutating func append(_ element: Element) {
        elements.append(element)
    }

    @usableFromInline
    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let first = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 32, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }

    @usableFromInline
    mutating func removeAll() {
        elements = []
        head = 0
    }
}

extension Queue: Sendable where Element: Sendable {}
