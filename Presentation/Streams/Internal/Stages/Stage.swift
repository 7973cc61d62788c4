/// The observable of an operator that is synchronous and has one source: `map`, `filter`, `scan`; and the processing step
/// of that operator, its *stage*.
///
/// A stage is created when operators are composed, once for all subscriptions. Consecutive stages are fused, and each
/// subscription to them creates one ``Pipeline``. So the closure that processes an element captures only the user's
/// function, and the compiler, which sees both where the operator is called, merges them into one function. A closure
/// created for each subscription would call the user's function and the next stage through its captures, and would be
/// allocated for each stage.
///
/// A subscription copies what it needs of the stages, and retains neither them nor their source: a subject that is
/// released releases the observers that subscribed through them.
///
/// `@unchecked Sendable`: immutable; its functions are `Sendable`, or are called serially like those of a ``Sink``.
@usableFromInline
class FusedStages<Element: Sendable>: Observable<Element>, Stage, @unchecked Sendable {
    /// Connects a pipeline to the source.
    @usableFromInline
    typealias Connect = @Sendable (_ source: AnyObject, __owned Pipeline, Chain) -> Void

    @usableFromInline final let above: (any Stage)?
    /// The number of stages from the source to this one.
    @usableFromInline final let depth: Int
    /// Creates the state of the stage for one subscription.
    @usableFromInline final let makeState: (@Sendable () -> AnyObject)?
    @usableFromInline final let source: any AnyObject & Sendable
    @usableFromInline final let connectSource: Connect

    @inlinable
    init(
        below above: (any Stage)?, depth: Int, state: (@Sendable () -> AnyObject)?, name: StaticString,
        source: any AnyObject & Sendable, connect: @escaping Connect
    ) {
        self.above = above
        self.depth = depth
        makeState = state
        self.source = source
        connectSource = connect
        super.init(.stages, name: name)
    }

    @usableFromInline
    func addInstance(to pipeline: Pipeline, at index: Int, _ chain: Chain) {}

    /// Connects a sink to the source, through a pipeline.
    @inlinable
    final func connectStages(_ sink: Sink<Element>) {
        #if DEBUG
        let outer = SubscriptionRegistry.begin(sink.chain, name)
        defer { SubscriptionRegistry.end(outer) }
        #endif
        let pipeline = Pipeline.make(through: self, count: depth, sink.chain)
        let next = sink.next
        pipeline.add(StageInstance<Element>(sink.chain) { element, _ in next(element) }, at: depth)
        connectSource(source, pipeline, sink.chain)
    }
}

/// A stage whose element types are unknown.
@usableFromInline
protocol Stage: AnyObject, Sendable {
    /// The stage from which it receives its elements, unless it receives them from the source.
    var above: (any Stage)? { get }
    #if DEBUG
    var name: StaticString { get }
    #endif

    /// Adds the stage to the pipeline of one subscription.
    func addInstance(to pipeline: Pipeline, at index: Int, _ chain: Chain)
}

/// A stage with a known input type.
@usableFromInline
final class StageObservable<Input: Sendable, Element: Sendable>: FusedStages<Element>, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; the property it adds is immutable.

    @usableFromInline let process: StageInstance<Input>.Process

    @inlinable
    init(
        below above: (any Stage)?, depth: Int, state: (@Sendable () -> AnyObject)?, name: StaticString,
        source: any AnyObject & Sendable, connect: @escaping Connect, process: @escaping StageInstance<Input>.Process
    ) {
        self.process = process
        super.init(below: above, depth: depth, state: state, name: name, source: source, connect: connect)
    }

    @usableFromInline
    override func addInstance(to pipeline: Pipeline, at index: Int, _ chain: Chain) {
        pipeline.add(StageInstance(chain, state: makeState?(), process), at: index)
    }
}

extension Observable {
    /// Creates an observable that adds a stage to `source`.
    ///
    /// - Parameters:
    ///   - state: Creates the state of the stage for one subscription: a ``SubscriptionState``.
    ///   - process: Processes an element. It should capture only functions of the user; see ``FusedStages``.
    @inlinable
    static func stage<Input: Sendable>(
        below source: Observable<Input>, state: (@Sendable () -> AnyObject)? = nil, name: StaticString = #function,
        process: @escaping StageInstance<Input>.Process
    ) -> Observable<Element> {
        if case .stages = source.kind {
            // Only this function creates observables of that kind.
            let above = unsafeDowncast(source, to: FusedStages<Input>.self)
            return StageObservable(
                below: above, depth: above.depth + 1, state: state, name: name, source: above.source,
                connect: above.connectSource, process: process)
        }
        return StageObservable(
            below: nil, depth: 1, state: state, name: name, source: source,
            connect: { source, pipeline, chain in
                // `source` is the argument above: more stages copy the source and this closure together.
                unsafeDowncast(source, to: Observable<Input>.self).connect(Sink(chain) { pipeline.receive($0) })
            }, process: process)
    }
}

/// Mutable state of one stage in one subscription, such as the previous element of `distinctUntilChanged`.
///
/// Only the stage accesses it, and a stage is called serially (see ``Sink``). Therefore it needs neither a lock nor the
/// run-time exclusivity check, which would cost 9 ns for each element.
@usableFromInline
final class SubscriptionState<Value> {
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) { self.value = value }
}
