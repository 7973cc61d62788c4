import Streams
import TestConcurrency
import Testing

#if DEBUG
@Suite("Call sites of subscriptions", .limitedConcurrency)
struct CallSiteTests {
    private let object = Token(0)

    /// Expects that the registry knows the line of the subscription.
    private func check(_ subscription: any Disposable, line: Int = #line) {
        #expect(LiveSubscriptions.all.contains { $0.place == "\(#fileID):\(line)" }, "line \(line)")
        subscription.dispose()
    }

    @Test("every way to subscribe to a stream or a trait records its line")
    func streams() {
        let stream = Observable<Int>.never()
        let infallible = Infallible<Int>.never()
        let relay = BehaviorRelay(value: 0)
        check(stream.subscribe { _ in })
        check(stream.subscribe())
        check(stream.subscribe(with: object))
        check(stream.bind(onNext: { _ in }))
        check(stream.bind(with: object) { _, _ in })
        check(stream.bind(to: relay))
        check(stream.bind(to: PublishSubject<Int>()))
        check(infallible.subscribe { _ in })
        check(infallible.subscribe())
        check(infallible.subscribe(with: object))
        check(infallible.bind(onNext: { _ in }))
        check(infallible.bind(with: object) { _, _ in })
        check(infallible.bind(to: relay))
        check(infallible.bind(to: PublishSubject<Int>()))
        check(Single<Int>.never().subscribe { _ in })
        check(Single<Int>.never().subscribe())
        check(Single<Int>.never().subscribe(with: object))
        check(Maybe<Int>.never().subscribe { _ in })
        check(Maybe<Int>.never().subscribe())
        check(Maybe<Int>.never().subscribe(with: object))
        check(Completable.never().subscribe { _ in })
        check(Completable.never().subscribe())
        check(Completable.never().subscribe(with: object))
    }

    @Test("every way to drive and to emit records its line")
    @MainActor
    func sharedSequences() {
        let driver = Driver<Int>.never()
        let signal = Signal<Int>.never()
        check(driver.drive())
        check(driver.drive(onNext: { _ in }))
        check(driver.drive(with: object))
        check(driver.drive(PublishSubject<Int>()))
        check(driver.drive(PublishSubject<Int?>()))
        check(driver.drive(BehaviorRelay(value: 0)))
        check(driver.drive(BehaviorRelay<Int?>(value: 0)))
        check(driver.drive(ReplayRelay<Int>.create(bufferSize: 1)))
        check(driver.drive(ReplayRelay<Int?>.create(bufferSize: 1)))
        check(signal.emit())
        check(signal.emit(onNext: { _ in }))
        check(signal.emit(with: object))
        check(signal.emit(to: PublishSubject<Int>()))
        check(signal.emit(to: PublishSubject<Int?>()))
        check(signal.emit(to: PublishRelay<Int>()))
        check(signal.emit(to: PublishRelay<Int?>()))
        check(signal.emit(to: BehaviorRelay(value: 0)))
        check(signal.emit(to: BehaviorRelay<Int?>(value: 0)))
        check(signal.emit(to: ReplayRelay<Int>.create(bufferSize: 1)))
        check(signal.emit(to: ReplayRelay<Int?>.create(bufferSize: 1)))
    }
}
#endif
