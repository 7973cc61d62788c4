import Foundation
import Streams
import StreamsTesting
import XCTest

/// `Single`, `Maybe`, `Completable` and `Infallible`, as used in Rx code.
final class TraitCallSiteTests: XCTestCase {
    private var log: [String] = []
    private let bag = DisposeBag()

    private func single(_ number: Int) -> Single<Int> {
        Single.create { single in
            single(.success(number))
            single(.failure(Failure.expected))
            return Disposables.create()
        }
    }

    private func completable(_ error: Error? = nil) -> Completable {
        Completable.create { completable in
            completable(error.map { .error($0) } ?? .completed)
            return Disposables.create {}
        }
    }

    private func maybe(_ number: Int?) -> Maybe<Int> {
        .create { maybe in
            maybe(number.map { .success($0) } ?? .completed)
            return Disposables.create()
        }
    }

    func testSingle() {
        single(1).subscribe { result in
            switch result {
            case .success(let number): self.log.append("\(number)")
            case .failure(let error): self.log.append("\(error)")
            }
        }.disposed(by: bag)
        single(2).subscribe(onSuccess: { self.log.append("\($0)") }).disposed(by: bag)
        Single<Int>.error(Failure.expected).subscribe(onSuccess: { _ in }, onFailure: { self.log.append("\($0)") })
            .disposed(by: bag)
        single(3).subscribe(with: self, onSuccess: { $0.log.append("\($1)") }, onDisposed: { $0.log.append("gone") })
            .disposed(by: bag)
        XCTAssertEqual(log, ["1", "2", "expected", "3", "gone"])
    }

    func testMaybe() {
        maybe(1).subscribe { event in
            switch event {
            case .success(let number): self.log.append("\(number)")
            case .error(let error): self.log.append("\(error)")
            case .completed: self.log.append("|")
            }
        }.disposed(by: bag)
        maybe(nil).subscribe(onSuccess: { _ in }, onError: { _ in }, onCompleted: { self.log.append("|") })
            .disposed(by: bag)
        XCTAssertEqual(log, ["1", "|"])
    }

    func testCompletable() {
        completable().subscribe { event in
            switch event {
            case .completed: self.log.append("|")
            case .error(let error): self.log.append("\(error)")
            }
        }.disposed(by: bag)
        completable(Failure.expected)
            .subscribe(onCompleted: { self.log.append("|") }, onError: { self.log.append("\($0)") }).disposed(by: bag)
        completable().subscribe(with: self, onCompleted: { $0.log.append("done") }).disposed(by: bag)
        XCTAssertEqual(log, ["|", "expected", "done"])
    }

    func testInfallible() {
        let numbers = Infallible<Int>.create { observer in
            observer(.next(1))
            observer(.next(2))
            observer(.completed)
            return Disposables.create()
        }
        let label = Label()
        numbers.subscribe(onNext: { self.log.append("\($0)") }, onCompleted: { self.log.append("|") }).disposed(by: bag)
        numbers.subscribe { self.log.append("\($0)") }.disposed(by: bag)
        numbers.subscribe(with: label, onNext: { $0.number = $1 }).disposed(by: bag)
        numbers.bind { self.log.append("\($0)") }.disposed(by: bag)
        numbers.bind(with: label) { $0.number = $1 }.disposed(by: bag)
        numbers.bind(to: BehaviorRelay(value: 0), BehaviorRelay(value: 0)).disposed(by: bag)
        XCTAssertEqual(log, ["1", "2", "|", "next(1)", "next(2)", "completed", "1", "2"])
        XCTAssertEqual(label.number, 2)
    }

    func testThrowingFunctions() {
        func small(_ number: Int) throws -> Bool {
            if number > 2 { throw Failure.expected }
            return true
        }
        let numbers = Infallible.of(1, 2, 3)
        XCTAssertEqual(trace(numbers.do(onNext: { _ = try small($0) })), "1 2 !expected")
        XCTAssertEqual(trace(numbers.do(afterNext: { _ = try small($0) })), "1 2 3 !expected")
        XCTAssertEqual(trace(numbers.do(onCompleted: { _ = try small(3) })), "1 2 3 !expected")
        XCTAssertEqual(trace(numbers.take(while: { try small($0) })), "1 2 !expected")
        XCTAssertEqual(trace(numbers.take(until: { try !small($0) })), "1 2 !expected")
        XCTAssertEqual(trace(numbers.skip(while: { try small($0) && $0 < 2 })), "2 3 |")
        XCTAssertEqual(trace(numbers.distinctUntilChanged { try small($0) ? $0 : 0 }), "1 2 !expected")
        XCTAssertEqual(trace(numbers.distinctUntilChanged { try !small($0 + $1) }), "1 !expected")
        XCTAssertEqual(
            trace(numbers.distinctUntilChanged({ try small($0) ? $0 : 0 }, comparer: { $0 == $1 })), "1 2 !expected")
        XCTAssertEqual(trace(Infallible.zip(numbers, numbers) { try small($0) ? $1 : 0 }), "1 2 !expected")
        XCTAssertEqual(trace(Infallible.zip([numbers, numbers]) { try small($0[0]) ? 1 : 0 }), "1 1 !expected")
        XCTAssertEqual(trace(Infallible.combineLatest(numbers, numbers) { try small($0 + $1) ? 1 : 0 }), "1 !expected")
        XCTAssertEqual(
            trace(Infallible.combineLatest([numbers, numbers]) { try small($0[0] + $0[1]) ? 1 : 0 }), "1 !expected")
        XCTAssertEqual(trace(numbers.withLatestFrom(numbers) { try small($0 + $1) ? 1 : 0 }), "1 !expected")
    }

    func testAwaiting() async throws {
        let number = try await single(1).value
        let nothing = try await maybe(nil).value
        try await completable().value
        XCTAssertEqual(number, 1)
        XCTAssertNil(nothing)
        var numbers: [Int] = []
        for try await number in Observable.of(1, 2).values { numbers.append(number) }
        for await number in Infallible.of(3, 4).values { numbers.append(number) }
        XCTAssertEqual(numbers, [1, 2, 3, 4])
        let created = try await Single.create { try await Single.just(5).value }.value
        XCTAssertEqual(created, 5)
        let maybe = try await Maybe.create(priority: .high) { () -> Int? in nil }.value
        XCTAssertNil(maybe)
        try await Completable.create(detached: true) {}.value
        let detached = try await Single.create(detached: true, priority: .low) { 6 }.value
        XCTAssertEqual(detached, 6)
        let observable: RxObservable<Int> = Observable.create(priority: .low) { 7 }
        for try await number in observable.values { numbers.append(number) }
        let stream = AsyncStream { continuation in
            continuation.yield(8)
            continuation.finish()
        }
        let convert: () -> Observable<Int> = stream.asObservable
        for try await number in convert().values { numbers.append(number) }
        XCTAssertEqual(numbers, [1, 2, 3, 4, 7, 8])
    }
}
