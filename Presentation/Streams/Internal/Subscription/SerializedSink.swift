/// Serialises the events of several sources into one sink: each event passes a ``Gate``.
///
/// An operator with several sources keeps its state in a ``SubscriptionState`` that it accesses only inside this gate.
/// Terminal events pass the gate as well, so they never overtake an element.
@usableFromInline
final class SerializedSink: Sendable {
    @usableFromInline let gate = Gate()
    /// The chain of the downstream sink.
    @usableFromInline let chain: Chain

    @usableFromInline
    init(_ chain: Chain) {
        self.chain = chain
    }

    /// Runs `work` with `element` inside the gate, unless the subscription has ended.
    @inlinable
    func send<Element>(_ element: Element, _ work: @escaping (Element) -> Void) {
        if gate.enter() {
            if chain.isLive { work(element) }
            gate.leave()
        } else {
            gate.pass { [chain] in if chain.isLive { work(element) } }
        }
    }

    /// Runs `work` inside the gate, unless the subscription has ended.
    @usableFromInline
    func pass(_ work: @escaping () -> Void) {
        gate.pass { [chain] in if chain.isLive { work() } }
    }

    /// Terminates the downstream sink, inside the gate.
    @usableFromInline
    func finish(_ error: (any Error)?) {
        if gate.enter() {
            chain.finish(error)
            gate.leave()
        } else {
            gate.pass { [chain] in chain.finish(error) }
        }
    }
}
