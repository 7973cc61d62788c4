import Foundation
import Streams
import StreamsTesting
import Synchronization
import Testing

/// Disposables, schedulers and events, as used in Rx code.
@Suite("Disposables and schedulers", .timeLimit(.minutes(5)))
struct DisposableTests {
    nonisolated private final class Handle: Disposable {
        private let disposals = Atomic(0)
        var count: Int { disposals.load(ordering: .relaxed) }
        func dispose() { disposals.add(1, ordering: .relaxed) }
    }

    private let seen = Record()

    @Test("disposables are disposed")
    func disposables() {
        var bag: DisposeBag! = DisposeBag()
        let handle = Handle()
        let closure = Disposables.create { handle.dispose() }
        Disposables.create(closure, handle).dispose()
        #expect(closure.isDisposed)
        Disposables.create(handle, handle, Disposables.create(), Disposables.create(with: {})).dispose()
        Disposables.create([handle]).dispose()
        #expect(handle.count == 5)
        let composite = CompositeDisposable(handle, Disposables.create())
        let key = composite.insert(Handle())
        composite.remove(for: key!)
        #expect(composite.count == 2)
        let serial = SerialDisposable()
        serial.disposable = handle
        serial.disposable = composite
        #expect(handle.count == 6)
        let single = SingleAssignmentDisposable()
        single.setDisposable(serial)
        single.dispose()
        #expect(handle.count == 7)
        handle.disposed(by: bag)
        bag.insert(handle)
        bag.insert(handle, handle)
        bag.insert([handle])
        bag.insert {
            handle
            Disposables.create()
        }
        bag = DisposeBag(disposing: handle, handle)
        #expect(handle.count == 13)
        bag = DisposeBag {
            handle
        }
        bag = nil
        #expect(handle.count == 16)
    }

    @Test("schedulers run work")
    func schedulers() async throws {
        let queue = DispatchQueue(label: "q")
        let schedulers: [any ImmediateSchedulerType] = [
            MainScheduler(), MainScheduler.asyncInstance, ConcurrentMainScheduler.instance,
            CurrentThreadScheduler.instance, SerialDispatchQueueScheduler(internalSerialQueueName: "s"),
            SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "s", leeway: .milliseconds(1)),
            SerialDispatchQueueScheduler(qos: .utility, internalSerialQueueName: "s"),
            SerialDispatchQueueScheduler(qos: .utility), ConcurrentDispatchQueueScheduler(queue: queue),
            ConcurrentDispatchQueueScheduler(qos: .background),
            OperationQueueScheduler(operationQueue: OperationQueue(), queuePriority: .high),
        ]
        for scheduler in schedulers {
            let numbers = Observable.of(1, 2).observe(on: scheduler).subscribe(on: scheduler)
            #expect(try await numbers.toArray().value == [1, 2])
        }
        let interval: SerialDispatchQueueScheduler.TimeInterval = 1
        let time: ConcurrentMainScheduler.Time = ConcurrentDispatchQueueScheduler.Time(timeIntervalSince1970: interval)
        #expect(time == MainScheduler.Time(timeIntervalSince1970: 1))
    }

    @MainActor
    @Test("schedulers of the current thread run work immediately")
    func currentThread() {
        MainScheduler.ensureExecutingOnScheduler()
        MainScheduler.ensureRunningOnMainThread(errorMessage: "not on the main thread")
        let count = Atomic(0)
        _ = CurrentThreadScheduler.instance.scheduleRecursive(0) { number, recurse in
            count.add(1, ordering: .relaxed)
            if number < 3 { recurse(number + 1) }
        }
        _ = MainScheduler().schedule(()) {
            count.add(1, ordering: .relaxed)
            return Disposables.create()
        }
        #expect(count.load(ordering: .relaxed) == 5)
        #expect(CurrentThreadScheduler.isScheduleRequired)
    }

    @Test("events and errors have descriptions")
    func eventsAndErrors() {
        let event = Event.next(1)
        #expect("\(event) \(event.map { "\($0)" }) \(Event<Int>.completed)" == "next(1) next(1) completed")
        #expect(event.element == 1)
        #expect(event.error == nil)
        #expect(!(event.isStopEvent || event.isCompleted))
        let errors: [RxError] = [
            .unknown, .disposed(object: Handle()), .overflow, .argumentOutOfRange, .noElements, .moreThanOneElement,
            .timeout,
        ]
        #expect(Set(errors.map { $0.debugDescription }).count == errors.count)
        let observer = AnyObserver<Int>(eventHandler: { seen.note($0.element ?? 0) })
        observer.mapObserver { (text: String) in text.count }.onNext("abc")
        observer.asObserver().onNext(4)
        #expect(seen.text == "3 4")
    }
}
