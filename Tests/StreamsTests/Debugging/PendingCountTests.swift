#if DEBUG
import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing

// Serialized: the warning handler is that of the process.
@Suite("Pending events", .serialized, .limitedConcurrency)
struct PendingCountTests {
    @Test("LiveSubscriptions shows the number of events that are enqueued in a subject")
    func pendingCount() throws {
        let subject = PublishSubject<Int>()
        let counts = Mutex<[Int]>([])
        // On a separate line, which distinguishes this subscription from those of concurrent tests.
        let subscription = subject.map { $0 }.subscribe(
            onNext: { number in
                if number == 0 { for later in 1...3 { subject.onNext(later) } }
                let this = LiveSubscriptions.all.first { $0.place == "StreamsTests/PendingCountTests.swift:999" }
                counts.withLock { $0.append(this?.pendingCount ?? -1) }
            }, line: 999)
        subject.onNext(0)
        #expect(counts.withLock { $0 } == [3, 3, 2, 1])
        subscription.dispose()
    }

    @Test("LiveSubscriptions shows the number of events that are enqueued in observe(on:)")
    func pendingHandovers() {
        let scheduler = TestScheduler(initialClock: 0)
        let subject = PublishSubject<Int>()
        let subscription = subject.observe(on: scheduler).subscribe(line: 998) { _ in }
        func pending() -> Int? {
            LiveSubscriptions.all.first { $0.place == "StreamsTests/PendingCountTests.swift:998" }?.pendingCount
        }
        #expect(pending() == 0)
        for number in 1...3 { subject.onNext(number) }
        #expect(pending() == 3)
        scheduler.start()
        #expect(pending() == 0)
        subscription.dispose()
    }

    @Test("relays that are bound to each other cause one warning")
    func loop() {
        let before = Hooks.warningHandler
        defer { Hooks.warningHandler = before }
        let warnings = Record()
        let bindings = CompositeDisposable()
        Hooks.warningHandler = { warnings.add($0) }
        let (one, other) = (PublishRelay<LoopElement>(), PublishRelay<LoopElement>())
        let elements = Counter()
        bindings.insert(one.bind(to: other))
        bindings.insert(other.bind(to: one))
        bindings.insert(
            one.subscribe(onNext: { _ in
                elements.add(1)
                if elements.value == 50_000 { bindings.dispose() }
            }))
        one.accept(LoopElement())
        let ours = warnings.words.filter { $0.contains("LoopElement") }
        #expect(elements.value == 50_000)
        #expect(ours.count == 1)
        #expect(ours.first?.hasPrefix("10000 elements in a row were sent to a PublishSubject<LoopElement> by") == true)
    }

    @Test("elements from outside that find a delivery cause no warning about a loop")
    func noLoop() {
        let before = Hooks.warningHandler
        defer { Hooks.warningHandler = before }
        let warnings = Record()
        Hooks.warningHandler = { warnings.add($0) }
        let (one, other) = (PublishRelay<NoLoopElement>(), PublishRelay<NoLoopElement>())
        let bindings = CompositeDisposable(
            one.bind(to: other), other.take(9_000).subscribe(onNext: { one.accept($0) }))
        for _ in 0..<9_000 { one.accept(NoLoopElement()) }
        #expect(!warnings.words.contains { $0.contains("NoLoopElement") })
        bindings.dispose()
    }

    private struct LoopElement: Sendable {}
    private struct NoLoopElement: Sendable {}

    @Test("a queue of 10,000 events causes one warning")
    func warning() {
        let before = Hooks.warningHandler
        defer { Hooks.warningHandler = before }
        let warnings = Record()
        Hooks.warningHandler = { warnings.add($0) }
        let subject = PublishSubject<PendingCountTests>()
        let subscription = subject.subscribe(onNext: { _ in
            if !subject.hasObservers || warnings.words.isEmpty == false { return }
            for _ in 0..<10_001 { subject.onNext(PendingCountTests()) }
        })
        subject.onNext(PendingCountTests())
        let ours = warnings.words.filter { $0.contains("PendingCountTests") }
        #expect(ours.count == 1)
        #expect(ours.first?.hasPrefix("10000 events are pending in a PublishSubject<PendingCountTests>: ") == true)
        subscription.dispose()
    }
}
#endif
