/// The last elements of a stream, for those who subscribe later.
///
/// `@unchecked Sendable`: touched inside the gate of one multicast only.
@usableFromInline
final class ReplayBuffer<Element: Sendable>: @unchecked Sendable {
    @usableFromInline let capacity: Int
    @exclusivity(unchecked) @usableFromInline var elements: [Element] = []
    /// Where the oldest element is, once the buffer is full.
    @exclusivity(unchecked) @usableFromInline var oldest = 0

    /// A buffer of the last `capacity` elements.
    @inlinable
    init(capacity: Int) {
        self.capacity = capacity
    }

    @inlinable
    func append(_ element: Element) {
        if elements.count < capacity {
            elements.append(element)
        } else if capacity > 0 {
            elements[oldest] = element
            oldest = oldest &+ 1 == capacity ? 0 : oldest &+ 1
        }
    }

    /// Sends the elements, oldest first.
    @inlinable
    func replay(to sink: Sink<Element>) {
        let (elements, oldest) = (elements, oldest)
        for element in elements[oldest...] { sink.send(element) }
        for element in elements[..<oldest] { sink.send(element) }
    }

    /// Lets go of the elements.
    @inlinable
    func removeAll() {
        elements = []
        oldest = 0
    }

    /// Keeps an element and sends it to every sink that is there.
    @inlinable
    func send(_ element: Element, through multicast: Multicast) {
        if multicast.gate.enter() {
            keepAndDeliver(element, through: multicast)
            multicast.gate.leave()
        } else {
            multicast.gate.pass { self.keepAndDeliver(element, through: multicast) }
        }
    }

    @inlinable
    func keepAndDeliver(_ element: Element, through multicast: Multicast) {
        guard multicast.isOpen else { return }
        append(element)
        multicast.deliver(element)
    }
}
