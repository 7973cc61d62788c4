/// The state of one subscription to fused stages: one ``StageInstance`` for each stage, and one for the terminal
/// stage.
///
/// Only the closure that receives the elements of the source retains the pipeline. The caller of a closure keeps it
/// alive during the call; therefore everything that an element passes, all of which the pipeline holds, is accessed
/// without being retained.
///
/// The stages are stored without their element types, and downcast where an element passes. The types match because
/// `Observable.stage(below:state:name:process:)` is the only function that composes stages:
/// - The first stage has the element type of the source; the closure that connects the two is created with both.
/// - A stage sends elements of the observable that it belongs to. The next stage, or the terminal one, is created from
///   that observable, so it has that element type.
/// - The state of a stage is the ``SubscriptionState`` that the same operator creates.
///
/// Debug builds check each downcast.
@usableFromInline
final class Pipeline: ManagedBuffer<Pipeline.Header, StageInstance> {
    /// The properties of a pipeline besides the instances of its stages.
    @usableFromInline
    struct Header {
        let chain: Chain
        /// The last of the fused stages, which retains the stages above it.
        let last: Stage
        let terminal: Stage
    }

    deinit {
        withUnsafeMutablePointers { header, instances in
            for index in 0..<header.pointee.last.depth { instances[index].state?.release() }
        }
    }

    /// Connects `terminal` to the source of fused stages.
    @usableFromInline
    static func connect(through stages: FusedStages, to terminal: __owned Stage, _ chain: Chain) {
        #if DEBUG
        let outer = SubscriptionRegistry.begin(chain, stages.last.name)
        defer { SubscriptionRegistry.end(outer) }
        #endif
        let last = stages.last
        let pipeline = create(minimumCapacity: last.depth + 1) { _ in
            Header(chain: chain, last: last, terminal: terminal)
        }
        pipeline.withUnsafeMutablePointerToElements { instances in
            (instances + last.depth).initialize(to: StageInstance(terminal, chain))
            var stage = Unmanaged.passUnretained(last)
            for index in (0..<last.depth).reversed() {
                stage._withUnsafeGuaranteedRef { (instances + index).initialize(to: StageInstance($0, chain)) }
                guard let above = stage._withUnsafeGuaranteedRef({ $0.above }) else { break }
                stage = .passUnretained(above)
                #if DEBUG
                _ = SubscriptionRegistry.begin(chain, above.name)
                #endif
            }
        }
        // `create` returns an instance of the class on which it is called, as its superclass.
        stages.connect(stages.source, unsafeDowncast(pipeline, to: Pipeline.self), chain)
    }

    /// Passes an element of the source to the first stage.
    @inlinable
    @inline(__always)
    func receive<Element>(_ element: Element) {
        var element = element  // the source may lend the same value to another thread concurrently
        withUnsafeMutablePointerToElements { StageContext($0).receive(&element) }
    }
}

/// A stage in one subscription. Neither the stage nor its chain is retained: the pipeline holds both.
@usableFromInline
struct StageInstance {
    @usableFromInline let stage: Unmanaged<Stage>
    @usableFromInline let chain: Unmanaged<Chain>
    /// The state of the stage, which is retained.
    @usableFromInline let state: Unmanaged<AnyObject>?

    init(_ stage: Stage, _ chain: Chain) {
        self.stage = .passUnretained(stage)
        self.chain = .passUnretained(chain)
        state = if let makeState = stage.makeState { .passRetained(makeState()) } else { nil }
    }
}

/// The position of an element in a pipeline. Valid only during the call that receives it as an argument.
@usableFromInline
struct StageContext {
    @usableFromInline let position: UnsafePointer<StageInstance>

    @inlinable
    init(_ position: UnsafePointer<StageInstance>) { self.position = position }

    /// Passes an element to the stage at this position, without retaining the stage; its type matches: see
    /// ``Pipeline``.
    @inlinable
    @inline(__always)
    func receive<Element>(_ element: inout Element) {
        position.pointee.stage._withUnsafeGuaranteedRef {
            unsafeDowncast($0, to: TypedStage<Element>.self).process(&element, self)
        }
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
