import Foundation
import Streams
import StreamsTesting
import Testing

/// `Single`, `Maybe`, `Completable` and `Infallible`, as used in Rx code.
@Suite("Traits", .timeLimit(.minutes(5)))
struct TraitTests {
    private let log = Record()
    private let bag = DisposeBag()

    nonisolated private func single(_ number: Int) -> Single<Int> {
        Single.create { single in
            single(.success(number))
            single(.failure(Failure.expected))
            return Disposables.create()
        }
    }

    nonisolated private func completable(_ error: (any Error)? = nil) -> Completable {
        Completable.create { completable in
            completable(error.map { .error($0) } ?? .completed)
            return Disposables.create {}
        }
    }

    nonisolated private func maybe(_ number: Int?) -> Maybe<Int> {
        .create { maybe in
            maybe(number.map { .success($0) } ?? .completed)
            return Disposables.create()
        }
    }

    @Test("a single has one element")
    func single() {
        single(1).subscribe { result in
            switch result {
            case .success(let number): log.add("\(number)")
            case .failure(let error): log.add("\(error)")
            }
        }.disposed(by: bag)
        single(2).subscribe(onSuccess: { log.add("\($0)") }).disposed(by: bag)
        Single<Int>.error(Failure.expected).subscribe(onSuccess: { _ in }, onFailure: { log.add("\($0)") })
            .disposed(by: bag)
        single(3).subscribe(with: log, onSuccess: { $0.add("\($1)") }, onDisposed: { $0.add("gone") })
            .disposed(by: bag)
        #expect(log.words == ["1", "2", "expected", "3", "gone"])
        expect(single(1).map { $0 + 1 }.flatMap { single($0) }, "2 |")
        expect(single(1).flatMap { a in single(2).map { b in (a, b) } }, "(1, 2) |")
        expect(single(1).filter { $0 > 1 }, "|")
        expect(single(1).compactMap { $0 > 1 ? nil : $0 }, "1 |")
        expect(single(1).flatMapMaybe { _ in Maybe<Int>.empty() }, "|")
        expect(single(1).flatMapCompletable { _ in .empty() }.andThen(Single.just(4)), "4 |")
        expect(Single.zip(single(1), single(2)), "(1, 2) |")
        expect(Single.zip(single(1), single(2)) { $0 + $1 }, "3 |")
        expect(Single.zip(single(1), single(2)).map { $0.0 + $0.1 }, "3 |")
        expect(Single.zip(single(1), single(2), single(3)).filter { $0.0 < $0.2 }.map { $0.1 }, "2 |")
        expect(Single.zip([single(1), single(2)]), "[1, 2] |")
        expect(Single.zip([1, 2].map(single), resultSelector: { $0.count }), "2 |")
        expect(Single<Int>.deferred { throw Failure.expected }.catch { _ in .just(1) }, "1 |")
        expect(Single<Int>.error(Failure.expected).retry(2).catchAndReturn(5), "5 |")
        expect(single(1).do(onSuccess: { _ in }, onError: { _ in }, onDispose: {}), "1 |")
        expect(single(1).asObservable().flatMapLatest { single($0) }, "1 |")
        #expect(trace(single(1).asMaybe()) + trace(single(1).asCompletable()) == "1 ||")
        expect(Observable.of(1, 2).asSingle(), "!\(RxError.moreThanOneElement)")
        expect(Observable<Int>.empty().asSingle(), "!\(RxError.noElements)")
        expect(Single.using({ BooleanDisposable() }, primitiveSequenceFactory: { _ in Single.just(1) }), "1 |")
    }

    @Test("a maybe has at most one element")
    func maybe() {
        maybe(1).subscribe { event in
            switch event {
            case .success(let number): log.add("\(number)")
            case .error(let error): log.add("\(error)")
            case .completed: log.add("|")
            }
        }.disposed(by: bag)
        maybe(nil).subscribe(onSuccess: { _ in }, onError: { _ in }, onCompleted: { log.add("|") })
            .disposed(by: bag)
        #expect(log.words == ["1", "|"])
        expect(maybe(1).map { $0 * 2 }.filter { $0 > 1 }.flatMap { .just($0) }, "2 |")
        expect(maybe(nil).ifEmpty(default: 3), "3 |")
        expect(maybe(nil).ifEmpty(switchTo: Single.just(4)), "4 |")
        expect(maybe(nil).ifEmpty(switchTo: Maybe.just(5)).asSingle(), "5 |")
        expect(Maybe.zip(maybe(1), maybe(nil)) { $0 + $1 }, "|")
        expect(maybe(1).asCompletable(), "|")
        expect(Observable.just(1).asMaybe(), "1 |")
    }

    @Test("a completable has no elements")
    func completable() {
        completable().subscribe { event in
            switch event {
            case .completed: log.add("|")
            case .error(let error): log.add("\(error)")
            }
        }.disposed(by: bag)
        completable(Failure.expected)
            .subscribe(onCompleted: { log.add("|") }, onError: { log.add("\($0)") }).disposed(by: bag)
        completable().subscribe(with: log, onCompleted: { $0.add("done") }).disposed(by: bag)
        #expect(log.words == ["|", "expected", "done"])
        expect(completable().andThen(Observable.of(1, 2)), "1 2 |")
        expect(completable().andThen(.just(3)).flatMap { (number: Int) in Single.just(number) }, "3 |")
        expect(completable().andThen(Maybe.just(4)), "4 |")
        expect(completable().andThen(completable(Failure.expected)), "!expected")
        expect(Completable.concat(completable(), completable()), "|")
        expect(Completable.concat([completable(), completable()]), "|")
        expect(Completable.zip([completable(), completable(Failure.expected)]), "!expected")
        expect(Completable.zip(completable(), completable()), "|")
        expect(Observable.of(1, 2).ignoreElements().asCompletable(), "|")
        expect(completable(Failure.expected).catch { _ in .empty() }, "|")
    }

    @Test("an infallible cannot fail")
    func infallible() {
        let numbers = Infallible<Int>.create { observer in
            observer(.next(1))
            observer(.next(2))
            observer(.completed)
            return Disposables.create()
        }
        numbers.subscribe(onNext: { log.add("\($0)") }, onCompleted: { log.add("|") }).disposed(by: bag)
        numbers.subscribe { log.add("\($0)") }.disposed(by: bag)
        numbers.subscribe(with: log, onNext: { $0.note($1) }).disposed(by: bag)
        numbers.bind { log.add("\($0)") }.disposed(by: bag)
        numbers.bind(with: log) { $0.note($1) }.disposed(by: bag)
        numbers.bind(to: BehaviorRelay(value: 0), BehaviorRelay(value: 0)).disposed(by: bag)
        #expect(log.words == ["1", "2", "|", "next(1)", "next(2)", "completed", "1", "2", "1", "2", "1", "2"])
        expect(numbers.map { $0 * 2 }.flatMap { Infallible.just($0) }.startWith(0).share(replay: 1), "0 2 4 |")
        expect(Infallible.merge(numbers, .just(3)), "1 2 3 |")
        expect(Infallible.concat([numbers, .of(3, 4)]), "1 2 3 4 |")
        expect(Infallible.zip(numbers, numbers) { $0 + $1 }, "2 4 |")
        expect(Infallible.combineLatest(numbers, Infallible.just(1)), "(2, 1) |")
        expect(numbers.withLatestFrom(Infallible.just(5)) { $0 + $1 }, "6 7 |")
        expect(numbers.take(until: Observable<Void>.never()).take(while: { $0 < 2 }), "1 |")
        expect(Observable<Int>.error(Failure.expected).asInfallible(onErrorJustReturn: 7), "7 |")
        expect(Observable<Int>.error(Failure.expected).asInfallible { _ in .just(8) }, "8 |")
        expect(Observable<Int>.error(Failure.expected).asInfallible(onErrorFallbackTo: .from([9])), "9 |")
    }

    @Test("traits can be awaited")
    func awaiting() async throws {
        let number = try await single(1).value
        let nothing = try await maybe(nil).value
        try await completable().value
        #expect(number == 1)
        #expect(nothing == nil)
        var numbers: [Int] = []
        for try await number in Observable.of(1, 2).values { numbers.append(number) }
        for await number in Infallible.of(3, 4).values { numbers.append(number) }
        #expect(numbers == [1, 2, 3, 4])
        let created = try await Single.create { try await Single.just(5).value }.value
        #expect(created == 5)
    }
}
