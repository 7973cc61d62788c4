/// The downstream of one stage of a subscription: a function for its elements, and the chain for termination and
/// disposal.
///
/// On subscription, sinks are passed *upstream* through the operators: each operator wraps the `next` of its downstream
/// in a closure and passes the result to its upstream. `@inlinable` generic functions create those closures, so the
/// compiler specialises them in the client's module; elements then pass from closure to closure, without an event
/// around them and without a look-up of generic metadata.
///
/// `@unchecked Sendable`: the holder of a sink must call `next` from one thread at a time, with a happens-before edge
/// between calls. The Rx grammar ensures this for a single source, a ``Gate`` for several sources.
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
