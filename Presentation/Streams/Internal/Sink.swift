/// Where one stage of a subscription sends its elements, and the chain that carries everything else.
///
/// A sink is what flows *up* a run of operators when someone subscribes: each operator wraps the `next` of the
/// stage below it in a closure of its own and hands the result to the stage above. Those closures are made in
/// `@inlinable` generic functions, so that the compiler specialises them where they are used; elements then pass
/// from closure to closure, without an event around them and without a look-up of generic metadata.
///
/// `@unchecked Sendable`: a sink moves between threads only together with the duty to call it serially. Whoever
/// holds one calls `next` from one thread at a time, with a happens-before edge between calls: the Rx grammar for
/// a single source, a ``Gate`` where several sources meet.
@usableFromInline
struct Sink<Element>: @unchecked Sendable {
    @usableFromInline let next: (Element) -> Void
    @usableFromInline let chain: Chain

    @inlinable
    init(_ chain: Chain, next: @escaping (Element) -> Void) {
        self.next = next
        self.chain = chain
    }

    /// Delivers an element unless the subscription has ended.
    @inlinable
    func send(_ element: Element) {
        if chain.isLive { next(element) }
    }
}
