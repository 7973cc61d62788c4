import Streams
import Testing

#if DEBUG
    /// In processes of their own, where no other test makes anything.
    @Suite("Resources", .timeLimit(.minutes(5)))
    struct ResourcesTests {
        @Test("Live objects are counted, and those that are gone are not")
        func disposables() async {
            await #expect(processExitsWith: .success) {
                let before = Resources.total
                var disposables = (0..<10).map { _ in BooleanDisposable() }
                precondition(Resources.total == before + 10)
                disposables = []
                precondition(Resources.total == before && disposables.isEmpty)
            }
        }

        @Test("A subscription that has ended leaves nothing, one that is under way does")
        func subscriptions() async {
            await #expect(processExitsWith: .success) {
                let before = Resources.total
                do {
                    let subject = PublishSubject<Int>()
                    let bag = DisposeBag()
                    let stream = subject.flatMap { Observable.of($0, $0 + 1) }.scan(0) { $0 + $1 }.take(3)
                    stream.subscribe().disposed(by: bag)
                    subject.onNext(1)
                    precondition(Resources.total > before)
                }
                precondition(Resources.total == before)
            }
        }

        @Test("A subscription that holds itself is seen")
        func leak() async {
            await #expect(processExitsWith: .success) {
                let before = Resources.total
                do {
                    let subject = PublishSubject<Int>()
                    _ = subject.subscribe(onNext: { _ in subject.onCompleted() })
                }
                precondition(Resources.total > before)
            }
        }
    }
#endif
