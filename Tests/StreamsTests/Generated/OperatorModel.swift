import Streams

/// The virtual time of models: one thread, and a list of what is due.
final class ModelTime {
    private(set) var now = 0
    private var due: [(tick: Int, number: Int, action: () -> Void)] = []
    private var count = 0
    private var isSubscribing = false
    private var waiting: [() -> Void] = []

    func schedule(at tick: Int, _ action: @escaping () -> Void) {
        due.append((tick, count, action))
        count += 1
    }

    /// Schedules as `TestScheduler` does: immediate work takes a tick.
    func schedule(after delay: Int, _ action: @escaping () -> Void) { schedule(at: now + max(delay, 1), action) }

    /// Runs all work in the order of its ticks.
    func run() {
        while let next = due.indices.min(by: { (due[$0].tick, due[$0].number) < (due[$1].tick, due[$1].number) }) {
            let (tick, _, action) = due.remove(at: next)
            now = max(now, tick)
            action()
        }
    }

    /// Runs an outermost subscription, and then what it left on the current thread, as `CurrentThreadScheduler` does.
    func subscribing(_ action: () -> Void) {
        if isSubscribing { return action() }
        isSubscribing = true
        action()
        while !waiting.isEmpty { waiting.removeFirst()() }
        isSubscribing = false
    }

    func enqueueOnCurrentThread(_ action: @escaping () -> Void) { waiting.append(action) }
}

/// A subscription, and what ends with it.
final class ModelSubscription {
    private(set) var isActive = true
    private var cleanups: [() -> Void] = []

    func onEnd(_ cleanup: @escaping () -> Void) {
        if isActive { cleanups.append(cleanup) } else { cleanup() }
    }

    /// Ends the subscription; `deliver` sends its terminal event, if any, before the upstream is disposed.
    func end(after deliver: () -> Void = {}) {
        isActive = false
        deliver()
        let last = cleanups
        cleanups = []
        for cleanup in last { cleanup() }
    }
}

/// A stream as its documentation describes it, written as simply as possible: the reference for `Observable<Int>`.
///
/// It knows no threads, no locks, and no re-entrancy, and shares no code with the operators that it is compared with.
struct Model {
    typealias Observer = (Event<Int>) -> Void

    let time: ModelTime
    /// Starts a subscription that sends to the observer. Events after its end are ignored.
    let start: (ModelSubscription, @escaping Observer) -> Void

    init(_ time: ModelTime, _ start: @escaping (ModelSubscription, @escaping Observer) -> Void) {
        self.time = time
        self.start = start
    }

    /// Subscribes as a part of `parent`.
    func subscribe(
        in parent: ModelSubscription, as subscription: ModelSubscription = ModelSubscription(),
        _ observer: @escaping Observer
    ) {
        guard parent.isActive else { return }
        parent.onEnd { subscription.end() }
        time.subscribing {
            start(subscription) { event in
                guard subscription.isActive else { return }
                if event.isStopEvent { subscription.end { observer(event) } } else { observer(event) }
            }
        }
    }
}

// MARK: Sources

extension Model {
    /// Emits during its subscription.
    init(_ time: ModelTime, emitting events: [Event<Int>]) {
        self.init(time) { _, emit in for event in events { emit(event) } }
    }

    /// Emits one element after another on the current thread.
    init(_ time: ModelTime, sequence: [Int]) {
        self.init(time) { subscription, emit in
            func step(_ index: Int) {
                guard subscription.isActive else { return }
                if index == sequence.count { return emit(.completed) }
                emit(.next(sequence[index]))
                time.enqueueOnCurrentThread { step(index + 1) }
            }
            time.enqueueOnCurrentThread { step(0) }
        }
    }

    init(_ time: ModelTime, timer due: Int, period: Int?) {
        self.init(time) { subscription, emit in
            func fire(_ count: Int) {
                guard subscription.isActive else { return }
                if let period { time.schedule(after: period) { fire(count + 1) } }
                emit(.next(count))
                if period == nil { emit(.completed) }
            }
            time.schedule(after: due) { fire(0) }
        }
    }
}

// MARK: Operators on the elements of one stream

extension Model {
    /// An operator with a state for each subscription. Errors pass; `completed` is called before a completion passes.
    func handle<State>(
        _ initial: State, next: @escaping (inout State, Int, Observer) -> Void,
        completed: @escaping (State, Observer) -> Void = { _, _ in }
    ) -> Model {
        Model(time) { subscription, emit in
            var state = initial
            subscribe(in: subscription) { event in
                if case .next(let element) = event { return next(&state, element, emit) }
                if case .completed = event { completed(state, emit) }
                emit(event)
            }
        }
    }

    func map(_ transform: @escaping (Int) -> Int) -> Model { handle(false) { $2(.next(transform($1))) } }

    func filter(_ isIncluded: @escaping (Int) -> Bool) -> Model {
        handle(false) { if isIncluded($1) { $2(.next($1)) } }
    }

    func scan(_ seed: Int, _ combine: @escaping (Int, Int) -> Int) -> Model {
        handle(seed) { sum, element, emit in
            sum = combine(sum, element)
            emit(.next(sum))
        }
    }

    func take(_ count: Int) -> Model {
        if count == 0 { return Model(time, emitting: [.completed]) }
        return handle(count) { rest, element, emit in
            rest -= 1
            emit(.next(element))
            if rest == 0 { emit(.completed) }
        }
    }
}

// MARK: Several streams

extension Model {
    /// Runs streams one after the other: `next` returns the one that follows an event, or `nil` to send the event.
    /// The previous subscription ends before the next one starts.
    static func following(
        _ first: Model, _ next: @escaping (_ event: Event<Int>, _ finished: Int) -> Model?
    ) -> Model {
        Model(first.time) { subscription, emit in
            func run(_ model: Model, _ finished: Int) {
                let own = ModelSubscription()
                model.subscribe(in: subscription, as: own) { event in
                    guard let following = next(event, finished) else { return emit(event) }
                    own.end()
                    run(following, finished + 1)
                }
            }
            run(first, 0)
        }
    }

    static func concat(_ models: [Model], _ time: ModelTime) -> Model {
        following(Model(time, emitting: [.completed])) { event, finished in
            event == .completed && finished < models.count ? models[finished] : nil
        }
    }

    /// Subscribes to the next stream of `models` after an error.
    func catching(_ models: [Model]) -> Model {
        Model.following(self) { $0.error != nil && $1 < models.count ? models[$1] : nil }
    }

    static func merge(_ models: [Model], _ time: ModelTime) -> Model {
        Model(time) { subscription, emit in
            var rest = models.count
            if rest == 0 { return emit(.completed) }
            for model in models {
                model.subscribe(in: subscription) { event in
                    if event != .completed { return emit(event) }
                    rest -= 1
                    if rest == 0 { emit(.completed) }
                }
            }
        }
    }

    /// What happens to an element that arrives while `limit` inner streams run: the last case ends the first of them.
    enum Excess { case waits, isDropped, replaces }

    /// `flatMap` and its relatives: at most `limit` inner streams run at a time.
    func flatMap(limit: Int = .max, excess: Excess = .waits, _ transform: @escaping (Int) -> Model) -> Model {
        Model(time) { subscription, emit in
            var running: [ModelSubscription] = []
            var waiting: [Int] = []
            var isComplete = false
            func run(_ element: Int) {
                let inner = ModelSubscription()
                running.append(inner)
                transform(element).subscribe(in: subscription, as: inner) { event in
                    if event != .completed { return emit(event) }
                    inner.end()
                    running.removeAll { $0 === inner }
                    if !waiting.isEmpty { run(waiting.removeFirst()) }
                    if isComplete, running.isEmpty { emit(.completed) }
                }
            }
            subscribe(in: subscription) { event in
                switch event {
                case .next(let element):
                    if running.count < limit { return run(element) }
                    switch excess {
                    case .waits: waiting.append(element)
                    case .isDropped: break
                    case .replaces:
                        running.removeFirst().end()
                        run(element)
                    }
                case .completed:
                    isComplete = true
                    if running.isEmpty { emit(.completed) }
                case .error: emit(event)
                }
            }
        }
    }

    /// `combineLatest`, or `zip` if `zipping`: combines the latest element of each stream, or their elements in order.
    ///
    /// - Parameter endsEarly: Whether it completes when an element arrives that nothing can be combined with, because
    ///   all other streams have completed. `zip` does not for separate streams, but for a list of them.
    static func combine(
        _ models: [Model], _ time: ModelTime, zipping: Bool = false, endsEarly: Bool = true,
        _ combine: @escaping ([Int]) -> Int
    ) -> Model {
        Model(time) { subscription, emit in
            var elements = [[Int]](repeating: [], count: models.count)
            var completed = Set<Int>()
            if models.isEmpty {
                if !zipping { emit(.next(combine([]))) }
                return emit(.completed)
            }
            for (index, model) in models.enumerated() {
                model.subscribe(in: subscription) { event in
                    switch event {
                    case .next(let element):
                        elements[index] = zipping ? elements[index] + [element] : [element]
                        if elements.allSatisfy({ !$0.isEmpty }) {
                            let heads = elements.map { $0[0] }
                            if zipping { for index in elements.indices { elements[index].removeFirst() } }
                            emit(.next(combine(heads)))
                        } else if endsEarly, completed.union([index]).count == models.count {
                            emit(.completed)
                        }
                    case .completed:
                        completed.insert(index)
                        if completed.count == models.count { emit(.completed) }
                    case .error: emit(event)
                    }
                }
            }
        }
    }

    func withLatest(from other: Model, _ combine: @escaping (Int, Int) -> Int) -> Model {
        Model(time) { subscription, emit in
            var latest: Int?
            other.subscribe(in: subscription) { event in
                if case .next(let element) = event { latest = element } else if event != .completed { emit(event) }
            }
            handle(false) { _, element, emit in if let latest { emit(.next(combine(element, latest))) } }
                .subscribe(in: subscription, emit)
        }
    }

    static func amb(_ models: [Model], _ time: ModelTime) -> Model {
        Model(time) { subscription, emit in
            let contenders = models.map { _ in ModelSubscription() }
            var winner: Int?
            for (index, model) in models.enumerated() where winner == nil {
                model.subscribe(in: subscription, as: contenders[index]) { event in
                    if winner == nil {
                        winner = index
                        for (other, contender) in contenders.enumerated() where other != index { contender.end() }
                    }
                    emit(event)
                }
            }
        }
    }

    func take(until other: Model) -> Model {
        Model(time) { subscription, emit in
            other.subscribe(in: subscription) { event in
                if event.element != nil { emit(.completed) } else if event != .completed { emit(event) }
            }
            subscribe(in: subscription, emit)
        }
    }

    func skip(until other: Model) -> Model {
        Model(time) { subscription, emit in
            var isOpen = false
            let opening = ModelSubscription()
            subscribe(in: subscription) { event in
                if isOpen || event.error != nil { emit(event) } else if event == .completed { opening.end() }
            }
            guard opening.isActive else { return }
            other.subscribe(in: subscription, as: opening) { event in
                if event.error != nil { emit(event) }
                if event.element != nil {
                    isOpen = true
                    opening.end()
                }
            }
        }
    }

    func sample(_ other: Model, default placeholder: Int?) -> Model {
        Model(time) { subscription, emit in
            var latest: Int?
            var isComplete = false
            subscribe(in: subscription) { event in
                switch event {
                case .next(let element): latest = element
                case .completed: isComplete = true
                case .error: emit(event)
                }
            }
            other.subscribe(in: subscription) { event in
                if event.error != nil { return emit(event) }
                if let element = latest ?? placeholder { emit(.next(element)) }
                latest = nil
                if isComplete { emit(.completed) }
            }
        }
    }
}

// MARK: Time

extension Model {
    func debounce(_ delay: Int) -> Model {
        Model(time) { subscription, emit in
            var latest: Int?
            var number = 0
            func flush() {
                if let element = latest { emit(.next(element)) }
                latest = nil
            }
            subscribe(in: subscription) { event in
                switch event {
                case .next(let element):
                    latest = element
                    number += 1
                    let own = number
                    time.schedule(after: delay) { if subscription.isActive, own == number { flush() } }
                case .completed:
                    flush()
                    emit(.completed)
                case .error: emit(event)
                }
            }
        }
    }

    func throttle(_ interval: Int, latest: Bool) -> Model {
        Model(time) { subscription, emit in
            var last: Int?
            var waiting: Int?
            var sends = 0
            var isComplete = false
            func send(_ element: Int) {
                waiting = nil
                sends += 1
                emit(.next(element))
                last = time.now
            }
            subscribe(in: subscription) { event in
                switch event {
                case .next(let element):
                    guard let elapsed = last.map({ time.now - $0 }), elapsed < interval else { return send(element) }
                    guard latest else { return }
                    defer { waiting = element }
                    if waiting != nil { return }
                    let seen = sends
                    time.schedule(after: interval - elapsed) {
                        guard subscription.isActive, seen == sends, let element = waiting else { return }
                        send(element)
                        if isComplete { emit(.completed) }
                    }
                case .completed:
                    isComplete = true
                    if waiting == nil { emit(.completed) }
                case .error: emit(event)
                }
            }
        }
    }

    /// Sends events later, in order: errors too if `includingErrors`, otherwise those pass at once. The time for an
    /// event starts when it arrives, or when the one before it has been sent if `inTurn`.
    func delay(_ delay: Int, includingErrors: Bool = false, inTurn: Bool = false) -> Model {
        Model(time) { subscription, emit in
            var queue: [(arrival: Int, event: Event<Int>)] = []
            func wait() {
                let elapsed = inTurn ? 0 : time.now - queue[0].arrival
                time.schedule(after: delay - elapsed) {
                    guard subscription.isActive else { return }
                    emit(queue[0].event)
                    queue.removeFirst()
                    if subscription.isActive, !queue.isEmpty { wait() }
                }
            }
            subscribe(in: subscription) { event in
                if event.error != nil, !includingErrors { return emit(event) }
                queue.append((time.now, event))
                if queue.count == 1 { wait() }
            }
        }
    }

    func delaySubscription(_ delay: Int) -> Model {
        Model(time) { subscription, emit in
            time.schedule(after: delay) { subscribe(in: subscription, emit) }
        }
    }

    func timeout(_ limit: Int, other: Model) -> Model {
        Model(time) { subscription, emit in
            let source = ModelSubscription()
            var elements = 0
            func wait() {
                let seen = elements
                time.schedule(after: limit) {
                    guard subscription.isActive, source.isActive, seen == elements else { return }
                    other.subscribe(in: subscription, emit)
                    source.end()
                }
            }
            wait()
            subscribe(in: subscription, as: source) { event in
                emit(event)
                elements += 1
                if event.element != nil { wait() }
            }
        }
    }

    func skip(for duration: Int) -> Model {
        Model(time) { subscription, emit in
            var isOpen = false
            time.schedule(after: duration) { isOpen = true }
            subscribe(in: subscription) { event in
                if isOpen || event.isStopEvent { emit(event) }
            }
        }
    }

    func buffer(timeSpan: Int, count: Int, _ digest: @escaping ([Int]) -> Int) -> Model {
        Model(time) { subscription, emit in
            var elements: [Int] = []
            var flushes = 0
            func wait() {
                let seen = flushes
                time.schedule(after: timeSpan) { if subscription.isActive, seen == flushes { flush() } }
            }
            func flush() {
                emit(.next(digest(elements)))
                elements = []
                flushes += 1
                wait()
            }
            wait()
            subscribe(in: subscription) { event in
                switch event {
                case .next(let element):
                    elements.append(element)
                    if elements.count == count { flush() }
                case .completed:
                    emit(.next(digest(elements)))
                    emit(.completed)
                case .error: emit(event)
                }
            }
        }
    }
}

// MARK: Sharing

extension Model {
    /// One subscription to this stream while there are observers; each receives the last `replay` elements first.
    func share(replay: Int) -> Model {
        final class Connection {
            let subscription = ModelSubscription()
            var observers: [(subscription: ModelSubscription, emit: Observer)] = []
            var latest: [Int] = []
        }
        var current: Connection?
        return Model(time) { subscription, emit in
            let isFirst = current == nil
            let connection = current ?? Connection()
            current = connection
            connection.observers.append((subscription, emit))
            for element in connection.latest where subscription.isActive { emit(.next(element)) }
            subscription.onEnd {
                connection.observers.removeAll { $0.subscription === subscription }
                guard current === connection, connection.observers.isEmpty else { return }
                current = nil
                connection.subscription.end()
            }
            guard isFirst, subscription.isActive else { return }
            subscribe(in: connection.subscription) { event in
                if case .next(let element) = event {
                    connection.latest = (connection.latest + [element]).suffix(replay)
                } else if current === connection {
                    current = nil
                }
                for observer in connection.observers where observer.subscription.isActive { observer.emit(event) }
            }
        }
    }
}
