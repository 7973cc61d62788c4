/// The state of one subscription to fused stages: one ``StageInstance`` for each stage, and one that passes each element
/// to the downstream sink.
///
/// Only the closure that receives the elements of the source retains the pipeline. The caller of a closure keeps it
/// alive during the call; therefore everything that an element passes, all of which the pipeline holds, is accessed
/// without being retained.
///
/// The functions of the stages are stored without their element types, and called with them where an element passes. The
/// types match because `Observable.stage`, in its two forms, is the only function that composes stages:
/// - The first stage has the element type of the source; the closure that connects the two is created with both.
/// - A stage sends elements of the observable that it belongs to. The next stage, or the sink, is created from that
///   observable, so it has that element type.
/// - The state of a stage is the ``SubscriptionState`` that the same operator creates.
///
/// Debug builds check the types.
@usableFromInline
final class Pipeline: ManagedBuffer<Pipeline.Header, StageInstance> {
    /// The properties of a pipeline besides the instances of its stages.
    @usableFromInline
    struct Header {
        let chain: Chain
        let count: Int
    }

    deinit {
        withUnsafeMutablePointers { header, instances in
            for index in 0..<header.pointee.count { _ = (instances + index).move() }
        }
    }

    /// Creates the pipeline of a subscription to `last` and the stages above it, which ends with `end`. The caller retains
    /// `last`, and a stage those above it.
    @usableFromInline
    static func make(
        through last: Unmanaged<FusedStages<ErasedElement>>, count: Int, to end: StageFunction<ErasedElement>,
        _ chain: Chain
    ) -> Pipeline {
        let pipeline = create(minimumCapacity: count + 1) { _ in Header(chain: chain, count: count + 1) }
        pipeline.withUnsafeMutablePointerToElements { instances in
            (instances + count).initialize(to: StageInstance(end, state: nil, counter: 0, chain))
            var stage = last
            for index in (0..<count).reversed() {
                stage._withUnsafeGuaranteedRef { stage in
                    let instance = StageInstance(
                        stage.function, state: stage.makeState?(), counter: stage.counter, chain)
                    (instances + index).initialize(to: instance)
                }
                guard let above = stage._withUnsafeGuaranteedRef({ $0.above }) else { break }
                stage = .passUnretained(above)
                #if DEBUG
                _ = SubscriptionRegistry.begin(chain, above.name)
                #endif
            }
        }
        // `create` returns an instance of the class on which it is called, as its superclass.
        return unsafeDowncast(pipeline, to: Pipeline.self)
    }

    /// Passes an element of the source to the first stage.
    @inlinable
    @inline(__always)
    func receive<Element>(_ element: Element) {
        var element = element  // the source may lend the same value to another thread concurrently
        withUnsafeMutablePointerToElements { StageContext($0).receive(&element) }
    }
}

/// A stage in one subscription. The chain is not retained: the pipeline holds it.
@usableFromInline
struct StageInstance: ~Copyable {
    @usableFromInline let function: StageFunction<ErasedElement>
    @usableFromInline let chain: Unmanaged<Chain>
    /// The state of the stage, which is retained.
    @usableFromInline let state: Unmanaged<AnyObject>?
    @usableFromInline var counter: Int

    init(_ function: StageFunction<ErasedElement>, state: AnyObject?, counter: Int, _ chain: Chain) {
        self.function = function
        self.chain = .passUnretained(chain)
        self.state = state.map { .passRetained($0) }
        self.counter = counter
    }

    @usableFromInline
    deinit {
        state?.release()
    }
}

/// A ``StageInstance`` for elements of a known type: its first part. It is borrowed and cannot be copied, so its
/// function is called without being retained.
@usableFromInline
struct TypedStage<Element>: ~Copyable {
    @usableFromInline let function: StageFunction<Element>

    @inlinable
    @inline(__always)
    borrowing func receive(_ element: inout Element, _ context: StageContext) {
        #if DEBUG
        precondition(function.type == Element.self, "a stage receives elements of the type that it was composed for")
        #endif
        function.process(&element, context)
    }
}

/// The position of an element in a pipeline. Valid only during the call that receives it as an argument.
@usableFromInline
struct StageContext {
    @usableFromInline let position: UnsafePointer<StageInstance>

    @inlinable
    init(_ position: UnsafePointer<StageInstance>) { self.position = position }

    /// Passes an element to the stage at this position; its type matches: see ``Pipeline``.
    @inlinable
    @inline(__always)
    func receive<Element>(_ element: inout Element) {
        // The function is the first part of the instance, and has the type of the element.
        UnsafeRawPointer(position).assumingMemoryBound(to: TypedStage<Element>.self).pointee.receive(&element, self)
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

    /// The counter of the stage in this subscription.
    // Mutable memory of the pipeline: only the stage accesses it, and a stage is called serially.
    @inlinable
    var counter: Int {
        get { position.pointee.counter }
        nonmutating set { UnsafeMutablePointer(mutating: position).pointee.counter = newValue }
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
