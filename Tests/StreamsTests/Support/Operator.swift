import Dispatch
import Foundation
import Streams
import StreamsTesting
import Testing

/// An operator applied to a source, so that it emits some of its elements.
struct Operator: Sendable, CustomTestStringConvertible {
    /// The declaration and, if there are several cases of it, a description of the case: `first(), of nothing`.
    let testDescription: String
    /// The expected events for the elements 1 at 210, 2 at 230 and 3 at 255 and completion at 290.
    let says: String
    let apply: @Sendable (Observable<Token>, any SchedulerType) -> Observable<String>

    init<Element: Sendable>(
        _ name: String, says: String = "1@210 2@230 3@255 |@290",
        _ apply: @escaping @Sendable (Observable<Token>, any SchedulerType) -> Observable<Element>
    ) {
        testDescription = name
        self.says = says
        self.apply = { source, scheduler in apply(source, scheduler).map { "\($0)" } }
    }

    /// The declaration without the description.
    var signature: String { String(testDescription.prefix { $0 != "," }) }

    /// The operators whose subscriptions are independent, and that forward errors of the source.
    static let independent =
        ofTransforming + ofFiltering + ofCombining + ofSeveralStreams + ofTiming + ofErrors + ofWatching
    /// The operators that forward errors.
    static let failing = independent + sharing
    static let all = failing + recovering
}

/// Formats events as `1@210 2@230 |@290`, with `!` and the error on failure.
func words<Element>(_ events: [Recorded<Event<Element>>]) -> String {
    events.map { event in
        switch event.value {
        case .next(let element): "\(element)@\(event.time)"
        case .error(let error): "!\(error)@\(event.time)"
        case .completed: "|@\(event.time)"
        }
    }.joined(separator: " ")
}

extension Operator {
    /// Operators that transform elements.
    static let ofTransforming: [Operator] = [
        Operator("map(_:)") { source, _ in source.map { $0 } },
        Operator("compactMap(_:)", says: "1@210 3@255 |@290") { source, _ in
            source.compactMap { $0.number == 2 ? nil : $0 }
        },
        Operator("decode(type:decoder:)") { source, _ in
            source.map { Data("\($0.number)".utf8) }.decode(type: Int.self, decoder: JSONDecoder())
        },
        Operator("enumerated()", says: "0:1@210 1:2@230 2:3@255 |@290") { source, _ in
            source.enumerated().map { "\($0.index):\($0.element)" }
        },
        Operator("flatMap(_:)", says: "1@210 1@210 2@230 2@230 3@255 3@255 |@290") { source, _ in
            source.flatMap { Observable.of($0, $0) }
        },
        Operator("flatMap(_:), delayed", says: "1@240 2@260 3@285 |@290") { source, scheduler in
            source.flatMap { Observable.just($0).delay(.seconds(30), scheduler: scheduler) }
        },
        Operator("flatMap(_:), just") { source, _ in source.flatMap { Observable.just($0) } },
        Operator("concatMap(_:)", says: "1@240 2@271 3@302 |@303") { source, scheduler in
            source.concatMap { Observable.just($0).delay(.seconds(30), scheduler: scheduler) }
        },
        Operator("flatMapFirst(_:)", says: "1@240 3@285 |@290") { source, scheduler in
            source.flatMapFirst { Observable.just($0).delay(.seconds(30), scheduler: scheduler) }
        },
        Operator("flatMapLatest(_:)", says: "2@252 3@277 |@290") { source, scheduler in
            source.flatMapLatest { Observable.just($0).delay(.seconds(22), scheduler: scheduler) }
        },
        Operator("flatMapLatest(_:), just") { source, _ in source.flatMapLatest { Observable.just($0) } },
        Operator("switchLatest()", says: "1@211 2@231 3@256 |@290") { source, scheduler in
            source.map { Observable.just($0, scheduler: scheduler) }.switchLatest()
        },
        Operator("groupBy(keySelector:)", says: "1:1@210 0:2@230 1:3@255 |@290") { source, _ in
            source.groupBy { $0.number % 2 }.flatMap { group in group.map { "\(group.key):\($0)" } }
        },
        Operator("materialize()") { source, _ in source.materialize().dematerialize() },
        Operator("dematerialize()") { source, _ in source.materialize().dematerialize() },
        Operator("reduce(_:accumulator:)", says: "3@290 |@290") { source, _ in
            source.reduce(Token(0)) { $1.number == 2 ? $0 : $1 }
        },
        Operator("reduce(_:accumulator:mapResult:)", says: "3@290 |@290") { source, _ in
            source.reduce([], accumulator: { $0 + [$1] }, mapResult: { $0.count })
        },
        Operator("scan(_:accumulator:)") { source, _ in source.scan(Token(0)) { $1.number > $0.number ? $1 : $0 } },
        Operator("scan(into:accumulator:)") { source, _ in
            source.scan(into: [Token]()) { $0.append($1) }.map { $0.count }
        },
        Operator("buffer(count:)", says: "[1, 2]@230 [3]@290 |@290") { source, _ in source.buffer(count: 2) },
        Operator("buffer(timeSpan:count:scheduler:)", says: "[1, 2]@230 [3]@260 []@290 |@290") { source, scheduler in
            source.buffer(timeSpan: .seconds(30), count: 2, scheduler: scheduler)
        },
        Operator("window(timeSpan:count:scheduler:)", says: "0:1@210 0:2@230 1:3@255 |@290") { source, scheduler in
            source.window(timeSpan: .seconds(30), count: 2, scheduler: scheduler).enumerated()
                .flatMap { index, window in window.map { "\(index):\($0)" } }
        },
    ]
}

extension Operator {
    /// Operators that filter elements.
    static let ofFiltering: [Operator] = [
        Operator("filter(_:)", says: "1@210 3@255 |@290") { source, _ in source.filter { $0.number != 2 } },
        Operator("distinctUntilChanged()") { source, _ in source.distinctUntilChanged() },
        Operator("distinctUntilChanged(_:)", says: "1@210 2@230 |@290") { source, _ in
            source.distinctUntilChanged { $0.number / 2 }
        },
        Operator("distinctUntilChanged(_:), comparer", says: "1@210 2@230 |@290") { source, _ in
            source.distinctUntilChanged { $0.number / 2 == $1.number / 2 }
        },
        Operator("distinctUntilChanged(at:)") { source, _ in source.distinctUntilChanged(at: \.number) },
        Operator("distinctUntilChanged(_:comparer:)", says: "1@210 2@230 |@290") { source, _ in
            source.distinctUntilChanged({ $0.number }, comparer: { $0 / 2 == $1 / 2 })
        },
        Operator("element(at:)", says: "!Argument out of range.@290") { source, _ in source.element(at: 90) },
        Operator("ignoreElements()", says: "|@290") { source, _ in source.ignoreElements() },
        Operator("sample(_:defaultValue:)", says: "1@225 2@250 3@275 |@300") { source, scheduler in
            source.sample(Observable<Int>.interval(.seconds(25), scheduler: scheduler))
        },
        Operator("single()", says: "2@230 |@290") { source, _ in source.filter { $0.number == 2 }.single() },
        Operator("single(_:)", says: "2@230 |@290") { source, _ in source.single { $0.number == 2 } },
        Operator("skip(_:)", says: "2@230 3@255 |@290") { source, _ in source.skip(1) },
        Operator("skip(for:scheduler:)", says: "2@230 3@255 |@290") { source, scheduler in
            source.skip(for: .seconds(15), scheduler: scheduler)
        },
        Operator("skip(_:scheduler:)", says: "2@230 3@255 |@290") { source, scheduler in
            source.skip(.seconds(15), scheduler: scheduler)
        },
        Operator("skip(while:)", says: "2@230 3@255 |@290") { source, _ in source.skip(while: { $0.number < 2 }) },
        Operator("skip(until:)") { source, _ in source.skip(until: Observable.just(1)) },
        Operator("take(_:)") { source, _ in source.take(90) },
        Operator("take(for:scheduler:)") { source, scheduler in
            source.take(for: .seconds(900), scheduler: scheduler)
        },
        Operator("takeLast(_:)", says: "2@290 3@290 |@290") { source, _ in source.takeLast(2) },
        Operator("take(until:)") { source, _ in source.take(until: Observable<Int>.never()) },
        Operator("take(until:behavior:)") { source, _ in source.take(until: { $0.number == 90 }) },
        Operator("take(while:behavior:)") { source, _ in source.take(while: { $0.number != 90 }) },
    ]
}

/// An element that is retained forever.
private let nine = Token(9)
/// A large number, greater than the number of elements of any source.
private let tokens = Observable.from((0..<90).map { Token($0) })

extension Operator {
    /// Operators with several sources.
    static let ofCombining: [Operator] = [
        Operator("amb(_:)") { source, _ in source.amb(Observable<Token>.never()) },
        Operator("static amb(_:)") { source, _ in Observable.amb([source, .never()]) },
        Operator("concat(_:)", says: "1@210 2@230 3@255 9@290 |@290") { source, _ in
            source.concat(Observable<Token>.just(nine))
        },
        Operator("concat(_:), second", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in
            Observable.just(nine).concat(source)
        },
        Operator("static concat(_:), sequence", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in
            Observable.concat(Made([.just(nine), source].makeIterator))
        },
        Operator("static concat(_:), collection", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in
            Observable.concat([.just(nine), source])
        },
        Operator("static concat(_:)", says: "1@210 2@230 3@255 9@290 |@290") { source, _ in
            Observable.concat(source, .just(nine))
        },
        Operator("concat()") { source, _ in source.map { Observable.just($0) }.concat() },
        Operator("ifEmpty(default:)", says: "9@290 |@290") { source, _ in
            source.filter { $0.number == 90 }.ifEmpty(default: nine)
        },
        Operator("ifEmpty(switchTo:)", says: "9@290 |@290") { source, _ in
            source.filter { $0.number == 90 }.ifEmpty(switchTo: .just(nine))
        },
        Operator("static merge(_:)", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in
            Observable.merge(source, .just(nine), .empty())
        },
        Operator("static merge(_:), array", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in
            Observable.merge([source, .just(nine)])
        },
        Operator("static merge(_:), collection") { source, _ in Observable.merge(CollectionOfOne(source)) },
        Operator("merge()") { source, _ in source.map { Observable.just($0) }.merge() },
        Operator("merge(maxConcurrent:)", says: "1@240 2@271 3@302 |@303") { source, scheduler in
            source.map { Observable.just($0).delay(.seconds(30), scheduler: scheduler) }.merge(maxConcurrent: 1)
        },
        Operator("startWith(_:)", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in source.startWith(nine) },
        Operator("withLatestFrom(_:)", says: "1@210 1@230 1@255 |@290") { source, _ in
            source.withLatestFrom(Observable.just(1)).map { Token($0) }
        },
        Operator("withLatestFrom(_:resultSelector:)") { source, _ in
            source.withLatestFrom(Observable.just(1)) { first, _ in first }
        },
        Operator("withUnretained(_:)") { source, _ in source.withUnretained(nine).map { $1 } },
        Operator("withUnretained(_:resultSelector:)") { source, _ in source.withUnretained(nine) { $1 } },
        Operator("static combineLatest(_:)") { source, _ in
            Observable.combineLatest([source, .just(nine)]).map { $0[0] }
        },
        Operator("static combineLatest(_:resultSelector:)") { source, _ in
            Observable.combineLatest([source, .just(nine)]) { $0[0] }
        },
        Operator("static zip(_:)") { source, _ in Observable.zip([source, tokens]).map { $0[0] } },
        Operator("static zip(_:resultSelector:)") { source, _ in Observable.zip([source, tokens]) { $0[0] } },
    ]
}

private let one = Observable.just(1)
/// A large number, greater than the number of elements of any source.
private let many = Observable.range(start: 0, count: 90)

extension Operator {
    /// `combineLatest` and `zip` of two to eight streams.
    static let ofSeveralStreams: [Operator] =
        arities(
            "combineLatest", "resultSelector:",
            { Observable.combineLatest($0, one) { a, _ in a } },
            { Observable.combineLatest($0, one, one) { a, _, _ in a } },
            { Observable.combineLatest($0, one, one, one) { a, _, _, _ in a } },
            { Observable.combineLatest($0, one, one, one, one) { a, _, _, _, _ in a } },
            { Observable.combineLatest($0, one, one, one, one, one) { a, _, _, _, _, _ in a } },
            { Observable.combineLatest($0, one, one, one, one, one, one) { a, _, _, _, _, _, _ in a } },
            { Observable.combineLatest($0, one, one, one, one, one, one, one) { a, _, _, _, _, _, _, _ in a } })
        + arities(
            "combineLatest", "",
            { Observable.combineLatest($0, one).map { $0.0 } },
            { Observable.combineLatest($0, one, one).map { $0.0 } },
            { Observable.combineLatest($0, one, one, one).map { $0.0 } },
            { Observable.combineLatest($0, one, one, one, one).map { $0.0 } },
            { Observable.combineLatest($0, one, one, one, one, one).map { $0.0 } },
            { Observable.combineLatest($0, one, one, one, one, one, one).map { $0.0 } },
            { Observable.combineLatest($0, one, one, one, one, one, one, one).map { $0.0 } })
        + arities(
            "zip", "resultSelector:",
            { Observable.zip($0, many) { a, _ in a } },
            { Observable.zip($0, many, many) { a, _, _ in a } },
            { Observable.zip($0, many, many, many) { a, _, _, _ in a } },
            { Observable.zip($0, many, many, many, many) { a, _, _, _, _ in a } },
            { Observable.zip($0, many, many, many, many, many) { a, _, _, _, _, _ in a } },
            { Observable.zip($0, many, many, many, many, many, many) { a, _, _, _, _, _, _ in a } },
            { Observable.zip($0, many, many, many, many, many, many, many) { a, _, _, _, _, _, _, _ in a } })
        + arities(
            "zip", "",
            { Observable.zip($0, many).map { $0.0 } },
            { Observable.zip($0, many, many).map { $0.0 } },
            { Observable.zip($0, many, many, many).map { $0.0 } },
            { Observable.zip($0, many, many, many, many).map { $0.0 } },
            { Observable.zip($0, many, many, many, many, many).map { $0.0 } },
            { Observable.zip($0, many, many, many, many, many, many).map { $0.0 } },
            { Observable.zip($0, many, many, many, many, many, many, many).map { $0.0 } })

    /// An operator of two, three and more streams.
    private static func arities(
        _ name: String, _ labels: String, _ applications: (@Sendable (Observable<Token>) -> Observable<Token>)...
    ) -> [Operator] {
        applications.enumerated().map { index, apply in
            Operator(declaration(of: name, streamCount: index + 2, labels)) { source, _ in apply(source) }
        }
    }
}

/// The declaration of an operator that combines so many streams: `static zip(_:_:resultSelector:)`.
func declaration(of name: String, streamCount: Int, _ labels: String) -> String {
    "static \(name)(\(String(repeating: "_:", count: streamCount))\(labels))"
}

extension Operator {
    /// Timed operators.
    static let ofTiming: [Operator] = [
        Operator("debounce(_:scheduler:)", says: "2@252 3@277 |@290") { source, scheduler in
            source.debounce(.seconds(22), scheduler: scheduler)
        },
        Operator("throttle(_:latest:scheduler:)", says: "1@210 2@240 3@270 |@290") { source, scheduler in
            source.throttle(.seconds(30), scheduler: scheduler)
        },
        Operator("throttle(_:latest:scheduler:), first", says: "1@210 3@255 |@290") { source, scheduler in
            source.throttle(.seconds(30), latest: false, scheduler: scheduler)
        },
        Operator("delay(_:scheduler:)", says: "1@217 2@237 3@262 |@297") { source, scheduler in
            source.delay(.seconds(7), scheduler: scheduler)
        },
        Operator("delaySubscription(_:scheduler:)") { source, scheduler in
            source.delaySubscription(.seconds(7), scheduler: scheduler)
        },
        Operator("timeout(_:scheduler:)") { source, scheduler in source.timeout(.seconds(700), scheduler: scheduler) },
        Operator("timeout(_:other:scheduler:)") { source, scheduler in
            source.timeout(.seconds(700), other: Observable.just(nine), scheduler: scheduler)
        },
        Operator("observe(on:)", says: "1@211 2@231 3@256 |@291") { source, scheduler in
            source.observe(on: scheduler)
        },
        Operator("subscribe(on:)") { source, scheduler in source.subscribe(on: scheduler) },
    ]
}

extension Operator {
    /// Error-handling operators, applied so that they forward errors.
    static let ofErrors: [Operator] = [
        Operator("catch(_:)") { source, _ in source.catch { .error($0) } },
        Operator("static catch(sequence:)") { source, _ in Observable.catch(sequence: [source]) },
        Operator("retry(_:)") { source, _ in source.retry(1) },
        Operator("retry(when:)") { source, _ in
            source.retry(when: { (errors: Observable<any Error>) in errors.flatMap { Observable<Int>.error($0) } })
        },
        Operator("retry(when:), of one type") { source, _ in
            source.retry(when: { (errors: Observable<RxError>) in errors })
        },
    ]

    /// The operators that do not terminate on an error.
    static let recovering: [Operator] = [
        Operator("catchAndReturn(_:)") { source, _ in source.catchAndReturn(Token(9)) },
        Operator("retry()") { source, _ in source.retry() },
    ]
}

extension Operator {
    /// Operators that observe events, and operators that convert the type of the stream.
    static let ofWatching: [Operator] = [
        Operator(
            "do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)"
        ) { source, _ in
            source.do(
                onNext: { _ in }, afterNext: { _ in }, onError: { _ in }, afterError: { _ in }, onCompleted: {},
                afterCompleted: {}, onSubscribe: {}, onSubscribed: {}, onDispose: {})
        },
        Operator("asSingle()", says: "2@290 |@290") { source, _ in
            source.filter { $0.number == 2 }.asSingle().asObservable()
        },
        Operator("asMaybe()", says: "2@290 |@290") { source, _ in
            source.filter { $0.number == 2 }.asMaybe().asObservable()
        },
        Operator("first()", says: "nil@290 |@290") { source, _ in
            source.filter { $0.number == 90 }.first().asObservable()
        },
        Operator("toArray()", says: "[1, 2, 3]@290 |@290") { source, _ in source.toArray().asObservable() },
        Operator("asCompletable()", says: "|@290") { source, _ in
            source.ignoreElements().asCompletable().asObservable()
        },
        Operator("static create(_:)") { source, _ in Observable.create { source.subscribe($0) } },
        Operator("static deferred(_:)") { source, _ in Observable.deferred { source } },
        Operator("static using(_:observableFactory:)") { source, _ in
            Observable.using({ BooleanDisposable() }, observableFactory: { _ in source })
        },
        Operator("multicast(_:selector:)") { source, _ in
            source.multicast({ PublishSubject<Token>() }, selector: { $0.filter { $0.number > 0 } })
        },
    ]

    /// The operators that share a subscription.
    static let sharing: [Operator] = [
        Operator("share(replay:scope:)") { source, _ in source.share() },
        Operator("share(replay:scope:), one") { source, _ in source.share(replay: 1) },
        Operator("share(replay:scope:), two") { source, _ in source.share(replay: 2) },
        Operator("share(replay:scope:), forever") { source, _ in source.share(replay: 1, scope: .forever) },
        Operator("multicast(_:)") { source, _ in source.multicast(PublishSubject<Token>()).refCount() },
        Operator("multicast(makeSubject:)", says: "3@290 |@290") { source, _ in
            source.multicast(makeSubject: { AsyncSubject<Token>() }).refCount()
        },
        Operator("publish()") { source, _ in source.publish().refCount() },
        Operator("refCount()") { source, _ in source.publish().refCount() },
        Operator("replay(_:)") { source, _ in source.replay(1).refCount() },
        Operator("replayAll()") { source, _ in source.replayAll().refCount() },
    ]
}
