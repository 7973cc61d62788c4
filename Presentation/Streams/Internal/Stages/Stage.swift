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
final class FusedStages<Element: Sendable>: Observable<Element>, @unchecked Sendable {
    let function: StageFunction<ErasedElement>
    /// Creates the state of the stage for one subscription.
    let makeState: (@Sendable () -> AnyObject)?
    /// The counter of the stage at the beginning of a subscription.
    let counter: Int
    let above: FusedStages<ErasedElement>?
    /// The number of stages from the source to this one.
    @usableFromInline let depth: Int
    @usableFromInline let source: any AnyObject & Sendable
    @usableFromInline let connectSource: PipelineConnection

    @usableFromInline
    init(
        _ function: StageFunction<ErasedElement>, state: (@Sendable () -> AnyObject)?, name: StaticString,
        below above: FusedStages<ErasedElement>?, depth: Int, source: any AnyObject & Sendable,
        connect: @escaping PipelineConnection
    ) {
        self.function = function
        makeState = state
        counter = 0
        self.above = above
        self.depth = depth
        self.source = source
        connectSource = connect
        super.init(.stages, name: name)
    }

    /// Creates a stage that counts.
    @usableFromInline
    init<Input: Sendable>(
        _ function: StageFunction<ErasedElement>, counter: Int, name: StaticString, below source: Observable<Input>,
        connect: @escaping PipelineConnection
    ) {
        self.function = function
        makeState = nil
        self.counter = counter
        if case .stages = source.kind {
            // Only `stage` creates observables of that kind.
            let above = unsafeDowncast(source, to: FusedStages<Input>.self)
            self.above = above.erased.takeUnretainedValue()
            depth = above.depth + 1
            self.source = above.source
            connectSource = above.connectSource
        } else {
            above = nil
            depth = 1
            self.source = source
            connectSource = connect
        }
        super.init(.stages, name: name)
    }

    /// The same object, unretained, for access to its stored properties: their types, and so their places, do not depend
    /// on the type of the elements.
    @inlinable
    var erased: Unmanaged<FusedStages<ErasedElement>> { .fromOpaque(Unmanaged.passUnretained(self).toOpaque()) }

    /// Connects a sink to the source, through a pipeline.
    func connectStages(_ sink: Sink<Element>) {
        #if DEBUG
        let outer = SubscriptionRegistry.begin(sink.chain, name)
        defer { SubscriptionRegistry.end(outer) }
        #endif
        let next = sink.next
        let last = StageFunction<Element> { element, _ in next(element) }
        let pipeline = withExtendedLifetime(self) {
            Pipeline.make(through: erased, count: depth, to: last.erased, sink.chain)
        }
        connectSource(source, pipeline, sink.chain)
    }
}

@usableFromInline
typealias PipelineConnection = @Sendable (_ source: AnyObject, __owned Pipeline, Chain) -> Void

/// The function of a stage, in a form that can be stored without the type of its elements.
///
/// `@unchecked Sendable`: that of a stage captures functions of the user, which are `Sendable`; that of a pipeline's end
/// belongs to a sink, and is called under its rules.
@usableFromInline
struct StageFunction<Element>: @unchecked Sendable {
    /// Processes an element. The element is `inout` to be borrowed without a copy; it is never modified.
    @usableFromInline let process: (_ element: inout Element, _ context: StageContext) -> Void

    #if DEBUG
    @usableFromInline let type: Any.Type
    #endif

    @inlinable
    init(_ process: @escaping (inout Element, StageContext) -> Void) {
        self.process = process
        #if DEBUG
        type = Element.self
        #endif
    }

    /// The same bits: a function value is a code pointer and a context, whatever its type. It is not called before the
    /// cast is undone; see ``StageContext/receive(_:)``.
    @inlinable
    var erased: StageFunction<ErasedElement> { unsafeBitCast(self, to: StageFunction<ErasedElement>.self) }
}

/// Stands for the type of the elements that a stage processes.
@usableFromInline
enum ErasedElement: Sendable {}

extension Observable {
    /// Creates an observable that adds a stage to `source`.
    ///
    /// - Parameters:
    ///   - state: Creates the state of the stage for one subscription: a ``SubscriptionState``.
    ///   - process: Processes an element. It should capture only functions of the user; see ``FusedStages``.
    @inlinable
    static func stage<Input: Sendable>(
        below source: Observable<Input>, state: (@Sendable () -> AnyObject)? = nil, name: StaticString = #function,
        process: @escaping @Sendable (_ element: inout Input, _ context: StageContext) -> Void
    ) -> Observable<Element> {
        let function = StageFunction(process).erased
        if case .stages = source.kind {
            // Only `stage` creates observables of that kind.
            let above = unsafeDowncast(source, to: FusedStages<Input>.self)
            return FusedStages(
                function, state: state, name: name, below: above.erased.takeUnretainedValue(), depth: above.depth + 1,
                source: above.source, connect: above.connectSource)
        }
        return FusedStages(
            function, state: state, name: name, below: nil, depth: 1, source: source,
            connect: Observable<Input>.pipelineConnection)
    }

    /// Creates an observable that adds a stage with a counter, which needs no allocation, to `source`.
    ///
    /// - Parameters:
    ///   - counter: The counter at the beginning of a subscription; see ``StageContext/counter``.
    ///   - process: Processes an element. It should capture only functions of the user; see ``FusedStages``.
    @inlinable
    static func stage<Input: Sendable>(
        below source: Observable<Input>, counter: Int, name: StaticString = #function,
        process: @escaping @Sendable (_ element: inout Input, _ context: StageContext) -> Void
    ) -> Observable<Element> {
        FusedStages(
            StageFunction(process).erased, counter: counter, name: name, below: source,
            connect: Observable<Input>.pipelineConnection)
    }

    /// Connects a pipeline to a stream of this type: stages copy the source and this function together.
    // A property of this type, so that it is compiled once for all types that stages make of the elements.
    @inlinable
    static var pipelineConnection: PipelineConnection {
        { source, pipeline, chain in
            unsafeDowncast(source, to: Observable.self).connect(Sink(chain) { pipeline.receive($0) })
        }
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
