import Streams
import StreamsTesting
import TestConcurrency
import Testing

/// An operator whose function throws ``Failure/expected`` for the element 2, and that emits something for 1.
struct ThrowingOperator: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The expected events for 1 at 210, 2 at 230, 3 at 255 and completion at 290.
    let says: String
    /// The tick at which it disposes the source; `nil` if it never subscribes to it.
    let end: Int?
    let apply: @Sendable (Observable<Int>) -> Observable<String>

    init<Element: Sendable>(
        _ name: String, says: String = "1@210 !expected@230", until end: Int? = 230,
        _ apply: @escaping @Sendable (Observable<Int>) -> Observable<Element>
    ) {
        testDescription = name
        self.says = says
        self.end = end
        self.apply = { source in apply(source).map { "\($0)" } }
    }

    var signature: String { String(testDescription.prefix { $0 != "," }) }

    static let all = ofOneStream + ofSeveralStreams

    private static let ofOneStream: [ThrowingOperator] = [
        .init("map(_:)") { $0.map(check) },
        .init("compactMap(_:)") { $0.compactMap { try check($0) } },
        .init("flatMap(_:)") { $0.flatMap { .just(try check($0)) as Observable } },
        .init("concatMap(_:)") { $0.concatMap { .just(try check($0)) as Observable } },
        .init("flatMapFirst(_:)") { $0.flatMapFirst { .just(try check($0)) as Observable } },
        .init("flatMapLatest(_:)") { $0.flatMapLatest { .just(try check($0)) as Observable } },
        .init("groupBy(keySelector:)") { $0.groupBy(keySelector: check).map(\.key) },
        .init("reduce(_:accumulator:)", says: "!expected@230") { $0.reduce(0) { try check($1) + $0 } },
        .init("reduce(_:accumulator:mapResult:)", says: "!expected@230") {
            $0.reduce(0, accumulator: { try check($1) + $0 }, mapResult: { $0 })
        },
        .init("reduce(_:accumulator:mapResult:), the result", says: "!expected@290", until: 290) {
            $0.reduce(0, accumulator: { $1 - $0 }, mapResult: check)
        },
        .init("scan(_:accumulator:)") { $0.scan(0) { try check($1) + $0 } },
        .init("scan(into:accumulator:)") { $0.scan(into: 0) { $0 += try check($1) } },
        .init("filter(_:)") { $0.filter { try check($0) > 0 } },
        .init("distinctUntilChanged(_:)") { $0.distinctUntilChanged(check) },
        .init("distinctUntilChanged(_:), comparer") { $0.distinctUntilChanged { try check($1) == $0 } },
        .init("distinctUntilChanged(_:comparer:)") { $0.distinctUntilChanged(check, comparer: { $0 == $1 }) },
        .init("distinctUntilChanged(_:comparer:), comparer") {
            $0.distinctUntilChanged({ $0 }, comparer: { try check($1) == $0 })
        },
        .init("single(_:)") { $0.single { try check($0) == 1 } },
        .init("skip(while:)", says: "!expected@230") { $0.skip(while: { try check($0) == 1 }) },
        .init("take(until:behavior:)") { $0.take(until: { try check($0) == 0 }) },
        .init("take(while:behavior:)") { $0.take(while: { try check($0) > 0 }) },
        .init("catch(_:)", says: "1@210 !expected@230") { source in
            source.map { number in if number == 2 { throw Failure.other } else { return number } }
                .catch { _ in throw Failure.expected }
        },
        .init("do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)")
        {
            $0.do(onNext: { _ = try check($0) })
        },
        .init("multicast(_:selector:)", says: "!expected@200", until: nil) {
            $0.multicast({ PublishSubject<Int>() }, selector: { _ -> Observable<Int> in throw Failure.expected })
        },
        .init("multicast(_:selector:), the subject", says: "!expected@200", until: nil) {
            $0.multicast({ () -> PublishSubject<Int> in throw Failure.expected }, selector: { $0 })
        },
    ]

    private static let ofSeveralStreams: [ThrowingOperator] =
        [
            .init("withLatestFrom(_:resultSelector:)") { $0.withLatestFrom(one) { first, _ in try check(first) } },
            .init("static combineLatest(_:resultSelector:)") {
                Observable.combineLatest([$0, one]) { try check($0[0]) }
            },
            .init("static zip(_:resultSelector:)") { Observable.zip([$0, many]) { try check($0[0]) } },
        ]
        + arities(
            "combineLatest",
            { Observable.combineLatest($0, one) { a, _ in try check(a) } },
            { Observable.combineLatest($0, one, one) { a, _, _ in try check(a) } },
            { Observable.combineLatest($0, one, one, one) { a, _, _, _ in try check(a) } },
            { Observable.combineLatest($0, one, one, one, one) { a, _, _, _, _ in try check(a) } },
            { Observable.combineLatest($0, one, one, one, one, one) { a, _, _, _, _, _ in try check(a) } },
            { Observable.combineLatest($0, one, one, one, one, one, one) { a, _, _, _, _, _, _ in try check(a) } },
            {
                Observable.combineLatest($0, one, one, one, one, one, one, one) { a, _, _, _, _, _, _, _ in
                    try check(a)
                }
            })
        + arities(
            "zip",
            { Observable.zip($0, many) { a, _ in try check(a) } },
            { Observable.zip($0, many, many) { a, _, _ in try check(a) } },
            { Observable.zip($0, many, many, many) { a, _, _, _ in try check(a) } },
            { Observable.zip($0, many, many, many, many) { a, _, _, _, _ in try check(a) } },
            { Observable.zip($0, many, many, many, many, many) { a, _, _, _, _, _ in try check(a) } },
            { Observable.zip($0, many, many, many, many, many, many) { a, _, _, _, _, _, _ in try check(a) } },
            {
                Observable.zip($0, many, many, many, many, many, many, many) { a, _, _, _, _, _, _, _ in
                    try check(a)
                }
            })

    /// An operator of two, three and more streams.
    private static func arities(
        _ name: String, _ applications: (@Sendable (Observable<Int>) -> Observable<Int>)...
    ) -> [ThrowingOperator] {
        applications.enumerated().map { index, apply in
            .init(declaration(of: name, streamCount: index + 2, "resultSelector:"), apply)
        }
    }
}

private let one = Observable.just(1)
private let many = Observable.range(start: 0, count: 90)

/// Returns the number; throws for 2.
@Sendable private func check(_ number: Int) throws -> Int {
    if number == 2 { throw Failure.expected }
    return number
}

@Suite("Operators with a throwing function", .limitedConcurrency)
struct ThrowingOperatorTests {
    @Test(
        "an operator fails immediately with the error of its function and disposes the source",
        arguments: ThrowingOperator.all)
    func failure(_ operation: ThrowingOperator) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .next(255, 3), .completed(290)])
        let result = scheduler.start { operation.apply(source.asObservable()) }
        #expect(words(result.events) == operation.says)
        #expect(source.subscriptions == (operation.end.map { [Subscription(200, $0)] } ?? []))
    }
}
