/// Where several sources meet: what they send passes a ``Gate``, one element at a time, on its way to one sink.
///
/// An operator with several sources keeps its state in a ``Box`` that it touches inside this gate only. An end
/// waits its turn as well, so that it never overtakes an element.
@usableFromInline
final class Confluence: Sendable {
    @usableFromInline let gate = Gate()
    /// The chain of the sink below.
    @usableFromInline let chain: Chain

    @usableFromInline
    init(_ chain: Chain) {
        self.chain = chain
    }

    /// Does `work` with an element in its turn, unless the subscription has ended.
    @inlinable
    func send<Element>(_ element: Element, _ work: @escaping (Element) -> Void) {
        if gate.enter() {
            if chain.isLive { work(element) }
            gate.leave()
        } else {
            gate.pass { [chain] in if chain.isLive { work(element) } }
        }
    }

    /// Does `work` in its turn, unless the subscription has ended.
    @usableFromInline
    func pass(_ work: @escaping () -> Void) {
        gate.pass { [chain] in if chain.isLive { work() } }
    }

    /// Ends the sink below in its turn.
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
