import Foundation
import Streams
import StreamsTesting
import TestReporting
import TestConcurrency
import Testing

/// Random programs of operators in virtual time, compared with ``Model``: the events with their ticks, and the
/// subscriptions of each source.
///
/// One seed runs again with `STREAMS_SEED=4711 swift test --filter OperatorProgramTests`, more seeds from there with
/// `STREAMS_PROGRAMS=60000` as well.
@Suite("Operators against a model", .limitedConcurrency)
struct OperatorProgramTests {
    private static let seed = ProcessInfo.processInfo.environment["STREAMS_SEED"].flatMap(UInt64.init)
    private static let programs = ProcessInfo.processInfo.environment["STREAMS_PROGRAMS"].flatMap(UInt64.init)

    @Test("random programs of operators emit and subscribe as the model does")
    func programs() {
        let first = Self.seed ?? 0
        let count = Self.programs ?? (Self.seed == nil ? 2_000 : 1)
        for seed in first..<first + count {
            let program = Program(seed: seed)
            guard program.difference() != nil else { continue }
            let shortest = program.shrunk()
            Issue.record(
                """
                \(shortest)
                \(shortest.difference() ?? "")
                Shrunk from \(program). Run it again: STREAMS_SEED=\(seed) swift test --filter OperatorProgramTests
                """)
            // A search goes on with the other seeds.
            if Self.programs == nil { return }
        }
    }

    #if DEBUG
    @Test("random programs of operators leave no objects behind")
    func release() async {
        // In a process where no other test creates objects.
        await #expect(processExitsWith: .success) {
            for seed in 0..<UInt64(2_000) {
                let before = Resources.total
                _ = Program(seed: seed).difference()
                precondition(Resources.total == before, "objects survive of program \(seed): \(Program(seed: seed))")
            }
        }
    }
    #endif
}

// MARK: Programs

/// A tree of operators over sources.
private indirect enum Program {
    case hot([Recorded<Event<Int>>])
    case cold([Recorded<Event<Int>>])
    /// Replays up to `replay` elements, and is released at a tick.
    case subject(replay: Int, [Recorded<Event<Int>>], released: Int)
    /// Emits during its subscription: `just`, `empty`, `never` and `error`.
    case immediate([Event<Int>])
    case sequence([Int])
    case timer(Int, period: Int?)
    case unary(Unary, Int, Program)
    case binary(Binary, Int, Program, Program)
    case list(List, [Program])
    /// Two observers of one shared stream.
    case shared(replay: Int, Binary, Int, Program)
}

/// The operators on one stream. Their argument is a number from 0 to 40.
private enum Unary: CaseIterable {
    case map, filter, scan, reduce, take, takeWhile, single, startWith, catchAndReturn, retry, retryWhen
    case groupBy, toArray, mapThrowing, materialize, `do`, using, share, multicast, observeOn, debounce, throttle
    case throttleFirst, delay, delaySubscription, takeFor, skipFor, timedBuffer
}

private enum Binary: CaseIterable {
    case concat, merge, zip, combineLatest, withLatestFrom, amb, sample, sampleWithDefault, takeUntil, skipUntil
    case flatMap, flatMapLatest, flatMapFirst, concatMap, mergeTwo, `catch`, timeout
}

private enum List: CaseIterable { case concat, merge, zip, combineLatest, amb, mergeInner, concatInner }

// MARK: Operators

/// A stream, and its model.
private struct Pair {
    let real: Observable<Int>
    let model: Model
}

/// A result that depends on the elements and their order.
private func digest(_ elements: [Int]) -> Int { elements.reduce(7) { ($0 &* 31 &+ $1) % 9973 } }

extension Unary {
    func apply(_ number: Int, to source: Pair, on scheduler: TestScheduler) -> Pair {
        let (real, model, time) = (source.real, source.model, source.model.time)
        let small = number % 5
        let duration = RxTimeInterval.seconds(number)
        let longer = RxTimeInterval.seconds(number + 7)
        switch self {
        case .map: return Pair(real: real.map { $0 + number }, model: model.map { $0 + number })
        case .filter: return Pair(real: real.filter { $0 % 5 != small }, model: model.filter { $0 % 5 != small })
        case .scan:
            return Pair(
                real: real.scan(number) { digest([$0, $1]) }, model: model.scan(number) { digest([$0, $1]) })
        case .reduce:
            return Pair(
                real: real.reduce(number) { digest([$0, $1]) },
                model: model.handle(number, next: { sum, element, _ in sum = digest([sum, element]) }) {
                    $1(.next($0))
                })
        case .take: return Pair(real: real.take(small), model: model.take(small))
        case .takeWhile:
            return Pair(
                real: real.take(while: { $0 % 5 != small }),
                model: model.handle(false) { $2($1 % 5 != small ? .next($1) : .completed) })
        case .single:
            return Pair(
                real: real.single(),
                model: model.handle(true) { isEmpty, element, emit in
                    emit(isEmpty ? .next(element) : .error(RxError.moreThanOneElement))
                    isEmpty = false
                } completed: { isEmpty, emit in
                    if isEmpty { emit(.error(RxError.noElements)) }
                })
        case .startWith:
            return Pair(
                real: real.startWith(number, small),
                model: .concat([Model(time, emitting: [.next(number), .next(small), .completed]), model], time))
        case .catchAndReturn:
            return Pair(
                real: real.catchAndReturn(number),
                model: model.catching([Model(time, emitting: [.next(number), .completed])]))
        case .retry:
            return Pair(
                real: real.retry(small + 1), model: model.catching(Array(repeating: model, count: small)))
        case .groupBy:
            return Pair(
                real: real.groupBy { $0 % 3 }.flatMap { group in group.take(small + 1) },
                model: model.handle([Int: Int]()) { counts, element, emit in
                    counts[element % 3, default: 0] += 1
                    if counts[element % 3, default: 0] <= small + 1 { emit(.next(element)) }
                })
        case .toArray:
            return Pair(
                real: real.toArray().map { digest($0) }.asObservable(),
                model: model.handle([Int](), next: { elements, element, _ in elements.append(element) }) {
                    $1(.next(digest($0)))
                })
        case .mapThrowing:
            return Pair(
                real: real.map { if $0 % 5 == small { throw Failure.other } else { $0 } },
                model: model.handle(false) { $2($1 % 5 == small ? .error(Failure.other) : .next($1)) })
        case .materialize: return Pair(real: real.materialize().dematerialize(), model: model)
        case .do:
            return Pair(real: real.do(onError: { _ in }, onCompleted: {}, onDispose: {}), model: model)
        case .using:
            return Pair(
                real: .using({ BooleanDisposable() }, observableFactory: { _ in real }), model: model)
        case .share: return Pair(real: real.share(replay: number % 3), model: model.share(replay: number % 3))
        case .multicast:
            return Pair(
                real: real.multicast({ PublishSubject<Int>() }) { shared in
                    Observable.zip(shared, shared.skip(1)) { digest([$0, $1]) }
                },
                model: model.handle(nil as Int?) { last, element, emit in
                    if let last { emit(.next(digest([last, element]))) }
                    last = element
                })
        case .debounce:
            return Pair(real: real.debounce(duration, scheduler: scheduler), model: model.debounce(number))
        case .throttle:
            return Pair(
                real: real.throttle(duration, scheduler: scheduler), model: model.throttle(number, latest: true))
        case .throttleFirst:
            return Pair(
                real: real.throttle(duration, latest: false, scheduler: scheduler),
                model: model.throttle(number, latest: false))
        case .delay: return Pair(real: real.delay(duration, scheduler: scheduler), model: model.delay(number))
        case .delaySubscription:
            return Pair(
                real: real.delaySubscription(duration, scheduler: scheduler), model: model.delaySubscription(number))
        case .takeFor:
            return Pair(
                real: real.take(for: longer, scheduler: scheduler),
                model: model.take(until: Model(time, timer: number + 7, period: nil)))
        case .skipFor:
            return Pair(real: real.skip(for: longer, scheduler: scheduler), model: model.skip(for: number + 7))
        case .timedBuffer:
            return Pair(
                real: real.buffer(timeSpan: longer, count: small + 1, scheduler: scheduler).map { digest($0) },
                model: model.buffer(timeSpan: number + 7, count: small + 1, digest))
        case .observeOn:
            return Pair(
                real: real.observe(on: scheduler), model: model.delay(0, includingErrors: true, inTurn: true))
        case .retryWhen:
            return Pair(
                real: real.retry(when: { (errors: Observable<any Error>) in
                    errors.enumerated().flatMap { index, error -> Observable<Int> in
                        index < small ? .timer(longer, scheduler: scheduler) : .error(error)
                    }
                }),
                model: model.catching(Array(repeating: model.delaySubscription(number + 7), count: small)))
        }
    }
}

extension Binary {
    func apply(_ number: Int, to first: Pair, and second: Pair, on scheduler: TestScheduler) -> Pair {
        let (real, other) = (first.real, second.real)
        let (model, otherModel, time) = (first.model, second.model, first.model.time)
        /// The inner streams of `flatMap` and its relatives.
        let inner = { @Sendable (outer: Int) in other.map { digest([outer, $0]) } }
        let innerModel = { (outer: Int) in otherModel.map { digest([outer, $0]) } }
        let digestOfTwo = { @Sendable (one: Int, two: Int) in digest([one, two]) }
        switch self {
        case .concat: return Pair(real: real.concat(other), model: .concat([model, otherModel], time))
        case .merge: return Pair(real: .merge(real, other), model: .merge([model, otherModel], time))
        case .zip:
            return Pair(
                real: Observable.zip(real, other, resultSelector: digestOfTwo),
                model: .combine([model, otherModel], time, zipping: true, endsEarly: false, digest))
        case .combineLatest:
            return Pair(
                real: Observable.combineLatest(real, other, resultSelector: digestOfTwo),
                model: .combine([model, otherModel], time, digest))
        case .withLatestFrom:
            return Pair(
                real: real.withLatestFrom(other, resultSelector: digestOfTwo),
                model: model.withLatest(from: otherModel, digestOfTwo))
        case .amb: return Pair(real: real.amb(other), model: .amb([model, otherModel], time))
        case .sample: return Pair(real: real.sample(other), model: model.sample(otherModel, default: nil))
        case .sampleWithDefault:
            return Pair(
                real: real.sample(other, defaultValue: number), model: model.sample(otherModel, default: number))
        case .takeUntil: return Pair(real: real.take(until: other), model: model.take(until: otherModel))
        case .skipUntil:
            // An error during the subscription to `other` may come before or after the first element has opened it.
            return Pair(
                real: real.skip(until: other.catch { _ in .never() }),
                model: model.skip(until: otherModel.catching([Model(time, emitting: [])])))
        case .flatMap: return Pair(real: real.flatMap(inner), model: model.flatMap(innerModel))
        case .flatMapLatest:
            return Pair(real: real.flatMapLatest(inner), model: model.flatMap(limit: 1, excess: .replaces, innerModel))
        case .flatMapFirst:
            return Pair(real: real.flatMapFirst(inner), model: model.flatMap(limit: 1, excess: .isDropped, innerModel))
        case .concatMap: return Pair(real: real.concatMap(inner), model: model.flatMap(limit: 1, innerModel))
        case .mergeTwo:
            return Pair(
                real: real.map(inner).merge(maxConcurrent: 2), model: model.flatMap(limit: 2, innerModel))
        case .catch: return Pair(real: real.catch { _ in other }, model: model.catching([otherModel]))
        case .timeout:
            return Pair(
                real: real.timeout(.seconds(number + 7), other: other, scheduler: scheduler),
                model: model.timeout(number + 7, other: otherModel))
        }
    }
}

extension List {
    func apply(to pairs: [Pair], _ time: ModelTime) -> Pair {
        let (real, models) = (pairs.map(\.real), pairs.map(\.model))
        func flatMapped(limit: Int) -> Model {
            Model(time, sequence: Array(models.indices)).flatMap(limit: limit) { models[$0] }
        }
        switch self {
        case .concat: return Pair(real: .concat(real), model: .concat(models, time))
        case .merge: return Pair(real: .merge(real), model: .merge(models, time))
        case .zip:
            return Pair(
                real: Observable<Int>.zip(real) { digest($0) }, model: .combine(models, time, zipping: true, digest))
        case .combineLatest:
            return Pair(
                real: Observable<Int>.combineLatest(real) { digest($0) }, model: .combine(models, time, digest))
        case .amb: return Pair(real: .amb(real), model: .amb(models, time))
        case .mergeInner:
            return Pair(real: Observable<Observable<Int>>.from(real).merge(), model: flatMapped(limit: .max))
        case .concatInner:
            return Pair(real: Observable<Observable<Int>>.from(real).concat(), model: flatMapped(limit: 1))
        }
    }
}

// MARK: Generating

extension Program {
    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 7919)
        self.init(depth: Int.random(in: 1...3, using: &random), &random)
    }

    private init(depth: Int, isShared: Bool = false, _ random: inout SeededGenerator) {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        func program(isShared: Bool = isShared) -> Program { Program(depth: depth - 1, isShared: isShared, &random) }
        /// Up to six elements, and in most cases a terminal event.
        func events(after start: Int, apart: Int) -> [Recorded<Event<Int>>] {
            var tick = start
            let elements = (0..<number(0...6)).map { _ in
                tick += number(1...apart)
                return Recorded.next(tick, number(0...9))
            }
            tick += number(1...apart)
            return elements
                + [[.error(tick, Failure.expected)], [.completed(tick)], [.completed(tick)], []][number(0...3)]
        }
        if depth == 0 || number(0...9) == 0 {
            switch number(0...14) {
            case 0...2: self = .hot(events(after: 170, apart: 90))
            case 3...5: self = .cold(events(after: 0, apart: 60))
            case 6: self = .sequence((0..<number(0...4)).map { _ in number(0...9) })
            case 7: self = .immediate([.next(number(0...9)), .completed])
            case 8: self = .immediate([.completed])
            case 9: self = .immediate([.error(Failure.expected)])
            case 10: self = .immediate([])
            case 11...13:
                let elements = events(after: 170, apart: 90).filter { !$0.value.isStopEvent }
                let last = elements.last?.time ?? 170
                self = .subject(replay: number(0...2), elements, released: last + number(0...90))
            default: self = .timer(number(1...50), period: Bool.random(using: &random) ? nil : number(17...90))
            }
            return
        }
        switch number(0...22) {
        case 0...10:
            let operation = Unary.allCases.randomElement(using: &random) ?? .map
            // A shared stream that is subscribed again while it ends may still be connected, or connect anew.
            self = .unary(isShared && operation == .share ? .do : operation, number(0...40), program())
        case 11...17:
            let operation = Binary.allCases.randomElement(using: &random) ?? .merge
            self = .binary(operation, number(0...40), program(), program())
        case 18:
            let operation = List.allCases.randomElement(using: &random) ?? .merge
            self = .list(operation, (0..<number(0...4)).map { _ in program() })
        case 19...20 where !isShared:
            let operation = Binary.allCases.randomElement(using: &random) ?? .merge
            self = .shared(replay: number(0...2), operation, number(0...40), program(isShared: true))
        // `do` above an operator is generated often: its chain ends before its inner streams do.
        default: self = .unary(.do, 0, program())
        }
    }
}

// MARK: Comparing

extension Program {
    private struct Outcome: Equatable, CustomStringConvertible {
        let events: [Recorded<Event<Int>>]
        let subscriptions: [[Subscription]]

        init(_ events: [Recorded<Event<Int>>], _ subscriptions: [[Subscription]]) {
            self.events = events
            // Several streams are subscribed in turn, even if the first one ends the result: for less than a tick.
            self.subscriptions = subscriptions.map { $0.filter { $0.subscribe != $0.unsubscribe } }
        }

        var description: String { "[\(words(events))], subscriptions \(subscriptions)" }
    }

    /// Collects the subscriptions of the sources in the order of the program.
    private final class Sources {
        let scheduler = TestScheduler(initialClock: 0, stepLimit: 30_000)
        let time = ModelTime()
        var real: [TestableObservable<Int>] = []
        var models: [() -> [Subscription]] = []
    }

    /// The outcomes, if they differ.
    func difference() -> String? {
        let sources = Sources()
        // Released when it is subscribed, so that only its subscriptions retain subjects.
        var pair = Optional(build(sources))
        var events: [Recorded<Event<Int>>] = []
        let (root, time) = (ModelSubscription(), sources.time)
        time.schedule(at: TestScheduler.Defaults.subscribed) {
            pair?.model.subscribe(in: root) { events.append(Recorded(time: time.now, value: $0)) }
        }
        time.schedule(at: TestScheduler.Defaults.disposed) { root.end() }
        time.run()
        let model = Outcome(events, sources.models.map { $0() })
        let observer = sources.scheduler.start { pair.take()?.real ?? .never() }
        let real = Outcome(observer.events, sources.real.map(\.subscriptions))
        return real == model ? nil : "received \(real)\nexpected \(model)"
    }

    private func build(_ sources: Sources) -> Pair {
        let (scheduler, time) = (sources.scheduler, sources.time)
        switch self {
        case .hot(let events):
            return source(scheduler.createHotObservable(events), in: sources, hot(events, replay: 0, time))
        case .subject(let replay, let events, let end):
            let subject = ReplaySubject<Int>.create(bufferSize: replay)
            var sender = Optional(subject)
            for event in events { scheduler.scheduleAt(event.time) { sender?.on(event.value) } }
            scheduler.scheduleAt(end) { sender = nil }
            return Pair(real: subject, model: Model(time, hot(events, replay: replay, time)))
        case .cold(let events):
            return source(scheduler.createColdObservable(events), in: sources) { _, emit in
                for event in events { time.schedule(after: event.time) { emit(event.value) } }
            }
        case .immediate(let events):
            let real = Observable<Int>.create { observer in
                for event in events { observer.on(event) }
                return Disposables.create()
            }
            return Pair(real: real, model: Model(time, emitting: events))
        case .sequence(let elements): return Pair(real: .from(elements), model: Model(time, sequence: elements))
        case .timer(let due, let period):
            let real = Observable<Int>.timer(
                .seconds(due), period: period.map { .seconds($0) }, scheduler: scheduler)
            return Pair(real: real, model: Model(time, timer: due, period: period))
        case .unary(let operation, let number, let program):
            return operation.apply(number, to: program.build(sources), on: scheduler)
        case .binary(let operation, let number, let first, let second):
            let pair = first.build(sources)
            return operation.apply(number, to: pair, and: second.build(sources), on: scheduler)
        case .list(let operation, let programs): return operation.apply(to: programs.map { $0.build(sources) }, time)
        case .shared(let replay, let operation, let number, let program):
            let pair = program.build(sources)
            let shared = Pair(real: pair.real.share(replay: replay), model: pair.model.share(replay: replay))
            let second = Pair(real: shared.real.map { $0 + 1 }, model: shared.model.map { $0 + 1 })
            return operation.apply(number, to: shared, and: second, on: scheduler)
        }
    }

    /// Sends the events at their ticks, and first the last `replay` of them to a late observer.
    private func hot(
        _ events: [Recorded<Event<Int>>], replay: Int, _ time: ModelTime
    ) -> (ModelSubscription, @escaping Model.Observer) -> Void {
        var observers: [(ModelSubscription, Model.Observer)] = []
        var last: [Event<Int>] = []
        for event in events {
            time.schedule(at: event.time) {
                last = (last + [event.value]).suffix(replay)
                for (subscription, emit) in observers where subscription.isActive { emit(event.value) }
            }
        }
        return { subscription, emit in
            for event in last where subscription.isActive { emit(event) }
            observers.append((subscription, emit))
            subscription.onEnd { observers.removeAll { $0.0 === subscription } }
        }
    }

    private func source(
        _ real: TestableObservable<Int>, in sources: Sources,
        _ run: @escaping (ModelSubscription, @escaping Model.Observer) -> Void
    ) -> Pair {
        let time = sources.time
        var subscriptions: [Subscription] = []
        sources.real.append(real)
        sources.models.append { subscriptions }
        let model = Model(time) { subscription, emit in
            let (index, start) = (subscriptions.count, time.now)
            subscriptions.append(Subscription(start))
            subscription.onEnd { subscriptions[index] = Subscription(start, time.now) }
            run(subscription, emit)
        }
        return Pair(real: real.asObservable(), model: model)
    }
}

// MARK: Shrinking

extension Program {
    /// The smallest program that is reached by leaving out a part at a time and still differs.
    func shrunk() -> Program {
        for smaller in smaller where smaller.difference() != nil { return smaller.shrunk() }
        return self
    }

    private var smaller: [Program] {
        func without<Part>(_ parts: [Part]) -> [[Part]] {
            parts.indices.map { Array(parts[..<$0] + parts[($0 + 1)...]) }
        }
        switch self {
        case .hot(let events): return [.immediate([])] + without(events).map { .hot($0) }
        case .cold(let events): return [.immediate([])] + without(events).map { .cold($0) }
        case .subject(let replay, let events, let end):
            return [.immediate([])] + without(events).map { .subject(replay: replay, $0, released: end) }
        case .sequence(let elements): return without(elements).map { .sequence($0) }
        case .immediate, .timer: return []
        case .unary(let operation, let number, let program):
            return [program] + program.smaller.map { .unary(operation, number, $0) }
        case .binary(let operation, let number, let first, let second):
            return [first, second] + first.smaller.map { .binary(operation, number, $0, second) }
                + second.smaller.map { .binary(operation, number, first, $0) }
        case .list(let operation, let programs):
            let shorter = programs.indices.flatMap { index in
                programs[index].smaller.map { part in
                    .list(operation, programs[..<index] + [part] + programs[(index + 1)...])
                } as [Program]
            }
            return programs + without(programs).map { .list(operation, $0) } + shorter
        case .shared(let replay, let operation, let number, let program):
            return [program] + program.smaller.map { .shared(replay: replay, operation, number, $0) }
        }
    }
}

extension Program: CustomStringConvertible {
    var description: String {
        switch self {
        case .hot(let events): "hot[\(words(events))]"
        case .cold(let events): "cold[\(words(events))]"
        case .subject(let replay, let events, let end):
            "replay(\(replay))[\(words(events))].released(\(end))"
        case .immediate(let events): "immediate\(events)"
        case .sequence(let elements): "from\(elements)"
        case .timer(let due, let period): "timer(\(due), period: \(period.map(String.init) ?? "nil"))"
        case .unary(let operation, let number, let program): "\(program).\(operation)(\(number))"
        case .binary(let operation, let number, let first, let second):
            "\(first).\(operation)(\(second), \(number))"
        case .list(let operation, let programs): "\(operation)\(programs)"
        case .shared(let replay, let operation, let number, let program):
            "\(program).share(replay: \(replay)) { $0.\(operation)($0.map { $0 + 1 }, \(number)) }"
        }
    }
}
