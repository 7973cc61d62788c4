/// The last element of a subject, in two senses: sent last, and delivered last.
///
/// They differ only while an element waits for the delivery of the one before it.
///
/// `@unchecked Sendable`: `delivered` is touched inside the gate of the multicast only, the rest under the lock.
@usableFromInline
final class Latest<Element: Sendable>: @unchecked Sendable {
    @usableFromInline
    struct Sent: Sendable {
        @usableFromInline var element: Element
        /// How many elements were sent later than any that is being delivered.
        @usableFromInline var waiting = 0
        @usableFromInline var hasEnded = false
        @usableFromInline var error: (any Error)?

        @inlinable
        init(_ element: Element) {
            self.element = element
        }
    }

    @usableFromInline let lock: Mutex<Sent>
    @exclusivity(unchecked) @usableFromInline var delivered: Element

    @inlinable
    init(_ element: Element) {
        lock = Mutex(Sent(element))
        delivered = element
    }

    /// The element sent last.
    var last: Element { lock.withLock { $0.element } }

    /// The element sent last; throws the error that was sent after it, if any.
    func sent() throws -> Element {
        try lock.withLock { sent in
            if let error = sent.error { throw error }
            return sent.element
        }
    }

    /// Sends the element and remembers it, in one order for both.
    @inlinable
    func send(_ element: Element, through multicast: Multicast) {
        if multicast.gate.enter() {
            if multicast.isOpen {
                // Elements that wait already were sent later than this one, which found the gate free.
                lock.withLock { if $0.waiting == 0 { $0.element = element } }
                delivered = element
                multicast.deliver(element)
            }
            multicast.gate.leave()
        } else {
            sendLater(element, through: multicast)
        }
    }

    @usableFromInline
    func sendLater(_ element: Element, through multicast: Multicast) {
        let work = Gate.Work { [self] in
            lock.withLock { $0.waiting -= 1 }
            guard multicast.isOpen else { return }
            delivered = element
            multicast.deliver(element)
        }
        // Queued under the lock: what is remembered last is delivered last. What finds the gate free runs outside.
        let hasEntered = lock.withLock { sent in
            if sent.hasEnded { return false }
            sent.element = element
            sent.waiting += 1
            return multicast.gate.enterOrQueue(work)
        }
        if hasEntered {
            work.run()
            multicast.gate.leave()
        }
    }

    /// Ends the subject; `value` keeps the last element on completion.
    @usableFromInline
    func finish(_ error: (any Error)?, through multicast: Multicast) {
        let work = Gate.Work { multicast.finishInside(error) }
        let hasEntered = lock.withLock { sent in
            if sent.hasEnded { return false }
            sent.hasEnded = true
            sent.error = error
            return multicast.gate.enterOrQueue(work)
        }
        if hasEntered {
            work.run()
            multicast.gate.leave()
        }
    }
}
