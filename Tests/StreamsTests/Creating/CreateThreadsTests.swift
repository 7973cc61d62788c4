import Dispatch
import Streams
import Synchronization
import TestConcurrency
import Testing

@Suite("Observers that several threads call", .limitedConcurrency)
struct CreateThreadsTests {
    /// A custom stream type that calls its observer from four threads concurrently.
    struct CustomStream: ObservableType {
        typealias Element = Int

        func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Int {
            DispatchQueue.concurrentPerform(iterations: 4) { worker in
                for number in 0..<200 { observer.onNext(worker * 200 + number) }
            }
            observer.onCompleted()
            return Disposables.create()
        }
    }

    static let created = Observable<Int>.create { observer in
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            for number in 0..<200 { observer.onNext(worker * 200 + number) }
        }
        observer.onCompleted()
        return Disposables.create()
    }

    static let streams: [(name: String, stream: Observable<Int>)] = [
        ("create", created),
        ("an inner stream", Observable.just(0).flatMap { _ in created }),
        ("the latest inner stream", Observable.just(0).flatMapLatest { _ in created }),
        ("a caught inner stream", Observable.just(0).flatMap { _ in created.catch { _ in .empty() } }),
        ("an inner stream that is tried again", Observable.just(0).flatMap { _ in created.retry(2) }),
        (
            "an inner stream with a resource",
            Observable.just(0).flatMap { _ in
                Observable.using({ BooleanDisposable() }, observableFactory: { _ in created })
            }
        ),
        ("an inner stream in a list", Observable.just(0).flatMap { _ in created.concat(Observable.empty()) }),
        ("a stream type of one's own", CustomStream().asObservable()),
        (
            "task(send:)",
            Observable<Int>.task { send in
                DispatchQueue.concurrentPerform(iterations: 4) { worker in
                    for number in 0..<200 { send(worker * 200 + number) }
                }
            }
        ),
    ]

    @Test(
        "elements of several threads pass stateful operators one at a time without loss",
        arguments: streams.indices)
    func scan(_ index: Int) async throws {
        let isInside = Atomic(false)
        let overlaps = Atomic(0)
        let list = try await Self.streams[index].stream
            .scan(into: [String]()) { list, number in
                if isInside.exchange(true, ordering: .acquiringAndReleasing) { overlaps.add(1, ordering: .relaxed) }
                list.append("\(number)")
                isInside.store(false, ordering: .releasing)
            }
            .takeLast(1).asSingle().value
        #expect(Set(list) == Set((0..<800).map { "\($0)" }))
        #expect(list.count == 800)
        #expect(overlaps.load(ordering: .relaxed) == 0)
        for worker in 0..<4 {
            let ofWorker = list.compactMap(Int.init).filter { $0 / 200 == worker }
            #expect(ofWorker == ofWorker.sorted(), "each thread's elements keep their order")
        }
    }

    @Test("an element that is sent during a delivery is enqueued without blocking its thread")
    func queueing() {
        let record = Record()
        let isDelivering = Moment()
        let isSent = Moment()
        let held = Mutex<AnyObserver<Int>?>(nil)
        let subscription = Observable<Int>.create { observer in
            held.withLock { $0 = observer }
            return Disposables.create()
        }.subscribe(
            onNext: { number in
                record.add(number)
                if number == 1 {
                    isDelivering.reach()
                    isSent.wait()
                }
            }, onCompleted: { record.add("|") })
        let sender = onThread { held.withLock { $0 }?.onNext(1) }
        isDelivering.wait()
        let observer = held.withLock { $0 }
        observer?.onNext(2)
        observer?.onCompleted()
        observer?.onNext(3)
        #expect(record.text == "1")
        isSent.reach()
        sender()
        #expect(record.text == "1 2 |")
        subscription.dispose()
    }

    @Test("elements of another thread are delivered between those of a long burst during subscription")
    func duringALongBurst() {
        let record = Record()
        let subscription = Observable<Int>.create { observer in
            for number in 0..<100 {
                if number == 50 { onThread { observer.onNext(1_000) }() }
                observer.onNext(number)
            }
            onThread { observer.onNext(1_001) }()
            observer.onCompleted()
            return Disposables.create()
        }.subscribe(onNext: { record.add($0) }, onCompleted: { record.add("|") })
        let numbers = Array(0...50) + [1_000] + Array(51..<100) + [1_001]
        let expected = numbers.map { "\($0)" } + ["|"]
        #expect(record.words == expected)
        subscription.dispose()
    }

    @Test("a re-entrant element is delivered after the current one, also in a long burst")
    func reentrantBurst() {
        let record = Record()
        let held = Mutex<AnyObserver<Int>?>(nil)
        let subscription = Observable<Int>.create { observer in
            held.withLock { $0 = observer }
            for number in 0..<60 { observer.onNext(number) }
            return Disposables.create()
        }.subscribe(onNext: { number in
            if number % 20 == 10 { held.withLock { $0 }?.onNext(-number) }
            record.add(number)
        })
        let expected = (0..<60).flatMap { (number: Int) -> [Int] in
            number % 20 == 10 ? [number, -number] : [number]
        }
        #expect(record.words == expected.map(String.init))
        held.withLock { $0 }?.onNext(7)  // after the start, the gate is free
        #expect(record.words.last == "7")
        subscription.dispose()
    }
}
