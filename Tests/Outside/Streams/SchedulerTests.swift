import Dispatch
import Foundation
import Streams
import Testing

@Suite("Schedulers and disposables", .timeLimit(.minutes(5)))
struct SchedulerTests {
    /// Schedules at once, later, again and again, and returns when all of it has happened.
    nonisolated private func use(_ scheduler: any SchedulerType) async {
        let start: RxTime = scheduler.now
        let interval: RxTimeInterval = .milliseconds(1)
        let record = Record()
        let bag = DisposeBag()
        await withCheckedContinuation { continuation in
            scheduler.schedule(1) { number in
                record.note(number)
                return scheduler.scheduleRelative(2, dueTime: interval) { number in
                    record.note(number)
                    continuation.resume()
                    return Disposables.create()
                }
            }.disposed(by: bag)
        }
        await withCheckedContinuation { continuation in
            let periods = SerialDisposable()
            periods.disposable = scheduler.schedulePeriodic(1, startAfter: interval, period: interval) { count in
                if count == 3 {
                    periods.dispose()
                    continuation.resume()
                }
                return count + 1
            }
        }
        #expect(record.text == "1 2" && scheduler.now >= start)
    }

    @Test("a queue, a pool, and the main thread are schedulers")
    func schedulers() async {
        await use(SerialDispatchQueueScheduler(qos: .default))
        await use(ConcurrentDispatchQueueScheduler(queue: .global()))
        await use(MainScheduler.instance)
        await use(ConcurrentMainScheduler.instance)

        // The same calls, of each class.
        let (serial, concurrent) = (
            SerialDispatchQueueScheduler(qos: .default), ConcurrentDispatchQueueScheduler(qos: .default)
        )
        let (main, shared) = (MainScheduler.instance, ConcurrentMainScheduler.instance)
        #expect([serial.now, concurrent.now, main.now, shared.now].allSatisfy { $0 <= Date() })
        let done: @Sendable (Int) -> any Disposable = { _ in Disposables.create() }
        let bag = DisposeBag()
        bag.insert(
            serial.scheduleRelative(0, dueTime: .seconds(60), action: done),
            serial.schedulePeriodic(0, startAfter: .seconds(60), period: .seconds(60)) { $0 },
            concurrent.schedule(0, action: done), concurrent.scheduleRelative(0, dueTime: .seconds(60), action: done),
            concurrent.schedulePeriodic(0, startAfter: .seconds(60), period: .seconds(60)) { $0 },
            main.schedulePeriodic(0, startAfter: .seconds(60), period: .seconds(60)) { $0 },
            shared.schedule(0, action: done), shared.scheduleRelative(0, dueTime: .seconds(60), action: done),
            shared.schedulePeriodic(0, startAfter: .seconds(60), period: .seconds(60)) { $0 })
        let types: [Any.Type] = [
            SerialDispatchQueueScheduler.TimeInterval.self, ConcurrentDispatchQueueScheduler.TimeInterval.self,
            ConcurrentMainScheduler.TimeInterval.self, SerialDispatchQueueScheduler.Time.self,
            ConcurrentDispatchQueueScheduler.Time.self, ConcurrentMainScheduler.Time.self,
        ]
        #expect(types.count == 6)
    }

    @Test("work runs at once, after the current work, or in an operation queue")
    func immediate() async {
        let record = Record()
        let note: @Sendable (Int) -> any Disposable = { number in
            record.note(number)
            return Disposables.create()
        }
        ImmediateScheduler.instance.schedule(1, action: note).dispose()
        CurrentThreadScheduler.instance.schedule(2, action: note).dispose()
        #expect(record.text == "1 2" && CurrentThreadScheduler.isScheduleRequired)
        let queue = OperationQueueScheduler(operationQueue: OperationQueue(), queuePriority: .high)
        await withCheckedContinuation { continuation in
            _ = queue.schedule(3) { _ in
                continuation.resume()
                return Disposables.create()
            }
        }
        #expect(queue.queuePriority == .high && queue.operationQueue.maxConcurrentOperationCount != 0)
    }

    @Test("virtual time advances on request only")
    func virtualTime() {
        let start = Date(timeIntervalSince1970: 0)
        let scheduler = HistoricalScheduler(initialClock: start)
        let record = Record()
        let note: @Sendable (Int) -> any Disposable = { number in
            record.note(number)
            return Disposables.create()
        }
        let bag = DisposeBag()
        bag.insert(
            scheduler.schedule(1, action: note), scheduler.scheduleRelative(3, dueTime: .seconds(3), action: note),
            scheduler.scheduleRelativeVirtual(2, dueTime: 2, action: note),
            scheduler.scheduleAbsoluteVirtual(5, time: start + 5, action: note))
        scheduler.advanceTo(start + 4)
        #expect(record.text == "1 2 3" && scheduler.clock == start + 4 && scheduler.now == start + 4)
        scheduler.sleep(1)
        scheduler.start()
        scheduler.stop()
        #expect(record.text == "1 2 3 5" && scheduler.adjustScheduledTime(start) == start)
        scheduler.invoke { record.note(6) }

        let converter = HistoricalSchedulerTimeConverter()
        #expect(converter.convertFromVirtualTime(start) == start && converter.convertToVirtualTime(start) == start)
        #expect(converter.convertFromVirtualTimeInterval(2) == 2 && converter.convertToVirtualTimeInterval(2) == 2)
        let later = converter.offsetVirtualTime(start, offset: 2)
        #expect(converter.compareVirtualTime(start, later) == .lessThan)
        let plain = VirtualTimeScheduler(initialClock: later, converter: converter)
        #expect(plain.clock == later)
        func types<Converter>(of scheduler: VirtualTimeScheduler<Converter>) -> [Any.Type] {
            [
                VirtualTimeScheduler<Converter>.VirtualTime.self,
                VirtualTimeScheduler<Converter>.VirtualTimeInterval.self,
            ]
        }
        let units: [Any.Type] = [
            HistoricalSchedulerTimeConverter.VirtualTimeUnit.self,
            HistoricalSchedulerTimeConverter.VirtualTimeIntervalUnit.self,
        ]
        #expect(types(of: scheduler).count == units.count)
    }

    @Test("a converter of one's own gives virtual time another unit")
    func converters() {
        let scheduler = VirtualTimeScheduler(initialClock: 0, converter: WholeNumbers())
        scheduler.advanceTo(5)
        #expect(scheduler.clock == 5)
        func offset<Converter: VirtualTimeConverterType>(
            _ converter: Converter, _ time: Converter.VirtualTimeUnit, by interval: Converter.VirtualTimeIntervalUnit
        ) -> Bool {
            let later = converter.offsetVirtualTime(time, offset: interval)
            let again = converter.convertToVirtualTime(converter.convertFromVirtualTime(later))
            let length = converter.convertToVirtualTimeInterval(converter.convertFromVirtualTimeInterval(interval))
            _ = length
            return converter.compareVirtualTime(later, again) == .equal
        }
        #expect(offset(WholeNumbers(), 1, by: 2))
        #expect(WholeNumbers().compareVirtualTime(2, 1) == .greaterThan)
    }

    @Test("disposables are composed, counted, replaced and scheduled")
    func disposables() {
        let record = Record()
        func note(_ number: Int) -> any Cancelable { Disposables.create { record.note(number) } }
        let composite = CompositeDisposable(note(1), note(2))
        let key: CompositeDisposable.DisposeKey? = composite.insert(note(3))
        if let key { composite.remove(for: key) }
        composite.dispose()
        #expect(composite.isDisposed && record.text == "3 1 2")

        let shared = RefCountDisposable(disposable: note(4))
        let retained = shared.retain()
        shared.dispose()
        #expect(!shared.isDisposed)
        retained.dispose()
        let single = SingleAssignmentDisposable()
        single.setDisposable(note(5))
        single.dispose()
        let serial = SerialDisposable()
        serial.disposable = note(6)
        serial.dispose()
        let flag = BooleanDisposable()
        flag.dispose()
        let scheduler = HistoricalScheduler()
        let scheduled = ScheduledDisposable(scheduler: scheduler, disposable: note(7))
        scheduled.dispose()
        #expect(scheduled.scheduler is HistoricalScheduler && !scheduled.isDisposed)
        scheduler.start()
        #expect(shared.isDisposed && single.isDisposed && serial.isDisposed && flag.isDisposed && scheduled.isDisposed)
        #expect(record.text == "3 1 2 4 5 6 7")
        let builder = DisposeBag.DisposableBuilder.self
        #expect(builder.buildBlock(flag, serial).count == 2)
    }
}

/// Virtual time in whole numbers.
nonisolated struct WholeNumbers: VirtualTimeConverterType {
    func convertFromVirtualTime(_ virtualTime: Int) -> RxTime { Date(timeIntervalSince1970: Double(virtualTime)) }
    func convertToVirtualTime(_ time: RxTime) -> Int { Int(time.timeIntervalSince1970) }
    func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval { Double(virtualTimeInterval) }
    func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int { Int(timeInterval) }
    func offsetVirtualTime(_ time: Int, offset: Int) -> Int { time + offset }
    func compareVirtualTime(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
    }
}
