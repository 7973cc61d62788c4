/// The state of one subscription to fused stages: one ``StageInstance`` for each stage, and one that passes each element
/// to the downstream sink.
///
/// Only the closure that receives the elements of the source retains the pipeline. The caller of a closure keeps it
/// alive during the call; therefore everything that an element passes, all of which the pipeline holds, is accessed
/// without being retained.
///
/// The instances are stored in slots of one size, without their element types, and accessed with them where an element
/// passes. The types match because `Observable.stage(below:state:name:process:)` is the only function that composes
/// stages:
/// - The first stage has the element type of the source; the closure that connects the two is created with both.
/// - A stage sends elements of the observable that it belongs to. The next stage, or the sink, is created from that
///   observable, so it has that element type.
/// - The state of a stage is the ``SubscriptionState`` that the same operator creates.
///
/// Debug builds check them.
@usableFromInline
final class Pipeline: ManagedBuffer<Pipeline.Header, Pipeline.Slot> {
    /// The properties of a pipeline besides the instances of its stages.
    @usableFromInline
    struct Header {
        let chain: Chain
        let count: Int
    }

    /// Memory for a ``StageInstance`` of any type: its function is a code pointer and a context, whatever its type.
    @usableFromInline typealias Slot = StageInstance<Never>

    deinit {
        // The context of a function is released in the same way for every type.
        _ = withUnsafeMutablePointers { header, slots in slots.deinitialize(count: header.pointee.count) }
    }

    /// Creates the pipeline of a subscription to `last` and the stages above it; the last instance is still to be added.
    @usableFromInline
    static func make(through last: any Stage, count: Int, _ chain: Chain) -> Pipeline {
        let pipeline = create(minimumCapacity: count + 1) { _ in Header(chain: chain, count: count + 1) }
        // `create` returns an instance of the class on which it is called, as its superclass.
        let result = unsafeDowncast(pipeline, to: Pipeline.self)
        var stage = last
        for index in (0..<count).reversed() {
            stage.addInstance(to: result, at: index, chain)
            guard let above = stage.above else { break }
            stage = above
            #if DEBUG
            _ = SubscriptionRegistry.begin(chain, above.name)
            #endif
        }
        return result
    }

    /// Initializes a slot.
    @inlinable
    func add<Element>(_ instance: consuming StageInstance<Element>, at index: Int) {
        let slot = withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0 + index) }
        slot.initializeMemory(as: StageInstance<Element>.self, to: instance)
    }

    /// Passes an element of the source to the first stage.
    @inlinable
    @inline(__always)
    func receive<Element>(_ element: Element) {
        var element = element  // the source may lend the same value to another thread concurrently
        withUnsafeMutablePointerToElements { StageContext($0).receive(&element) }
    }
}

/// A stage in one subscription, for elements of a known type. The chain is not retained: the pipeline holds it.
@usableFromInline
struct StageInstance<Element>: ~Copyable {
    /// Processes an element. The element is `inout` to be borrowed without a copy; it is never modified.
    @usableFromInline typealias Process = @Sendable (_ element: inout Element, _ context: StageContext) -> Void

    @usableFromInline let process: (inout Element, StageContext) -> Void
    @usableFromInline let chain: Unmanaged<Chain>
    /// The state of the stage, which is retained.
    @usableFromInline let state: Unmanaged<AnyObject>?
    #if DEBUG
    @usableFromInline let type: Any.Type
    #endif

    @inlinable
    init(_ chain: Chain, state: AnyObject? = nil, _ process: @escaping (inout Element, StageContext) -> Void) {
        self.process = process
        self.chain = .passUnretained(chain)
        self.state = state.map { .passRetained($0) }
        #if DEBUG
        type = Element.self
        #endif
    }

    @usableFromInline
    deinit {
        state?.release()
    }

    /// Calls the function without retaining its context: the instance is borrowed, and cannot be copied.
    @inlinable
    @inline(__always)
    borrowing func receive(_ element: inout Element, _ context: StageContext) {
        #if DEBUG
        precondition(type == Element.self, "a stage receives elements of the type with which it was composed")
        #endif
        process(&element, context)
    }
}

/// The position of an element in a pipeline. Valid only during the call that receives it as an argument.
@usableFromInline
struct StageContext {
    @usableFromInline let position: UnsafePointer<Pipeline.Slot>

    @inlinable
    init(_ position: UnsafePointer<Pipeline.Slot>) { self.position = position }

    /// Passes an element to the stage at this position; its type matches: see ``Pipeline``.
    @inlinable
    @inline(__always)
    func receive<Element>(_ element: inout Element) {
        UnsafeRawPointer(position).assumingMemoryBound(to: StageInstance<Element>.self).pointee.receive(&element, self)
    }

    /// Sends an element to the next stage. It is not modified; it is `inout` to be borrowed without a copy.
    @inlinable
    @inline(__always)
    func send<Element>(_ element: inout Element) { StageContext(position + 1).receive(&element) }

    /// Calls `body` with the state of the stage. `Value` is the type that the operator passes as `state`: see
    /// ``Pipeline``.
    @inlinable
    @inline(__always)
    func withState<Value, Result>(_ body: (SubscriptionState<Value>) throws -> Result) rethrows -> Result {
        try position.pointee.state.unsafelyUnwrapped._withUnsafeGuaranteedRef {
            try body(unsafeDowncast($0, to: SubscriptionState<Value>.self))
        }
    }

    // Not inlined, and consumes the error: this keeps the path of each element short.
    @usableFromInline
    @inline(never)
    func fail(_ error: __owned any Error) {
        position.pointee.chain.takeUnretainedValue().fail(error)
    }

    @usableFromInline
    func complete() { position.pointee.chain.takeUnretainedValue().complete() }
}
