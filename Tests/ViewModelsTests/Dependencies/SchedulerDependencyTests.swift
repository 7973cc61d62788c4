import Composition
import Foundation
import Streams
import StreamsTesting
import TestReporting
import Testing
import ViewModels
import ViewModelsTesting

@Suite("The schedulers as dependencies")
struct SchedulerDependencyTests {
    /// Waits, switches schedulers twice, and emits the date.
    private struct Stamps {
        @Dependency(\.mainScheduler) private var mainScheduler
        @Dependency(\.backgroundScheduler) private var backgroundScheduler
        @Dependency(\.clock) private var clock
        @Dependency(\.date) private var date

        func of(_ texts: Observable<String>) -> Observable<String> {
            texts.debounce(.milliseconds(300), scheduler: mainScheduler)
                .observe(on: backgroundScheduler)
                .flatMapLatest { [clock] text in
                    try await clock.sleep(for: .milliseconds(200))
                    return text
                }
                .map { [date] in "\($0) at \(Int((date.now.timeIntervalSince1970 * 10).rounded())) tenths" }
        }
    }

    @Test("useVirtualTime moves streams, sleeps and dates to the time of a test scheduler")
    func virtualTime() {
        let scheduler = TestScheduler(resolution: 0.001, simulateProcessingDelay: false)
        let stamps = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            Stamps()
        }
        let texts = scheduler.createHotObservable([.next(300, "a"), .next(400, "ab")])
        let result = scheduler.start(disposed: 2000) { stamps.of(texts.asObservable()) }
        #expect(result.events == [.next(900, "ab at 9 tenths")])
    }

    @Test("the live schedulers are those of the main queue and a concurrent queue")
    func live() {
        withDependencies {
            $0.context = .live
        } operation: {
            #expect(DependencyValues.current.mainScheduler is MainScheduler)
            #expect(DependencyValues.current.backgroundScheduler is ConcurrentDispatchQueueScheduler)
        }
    }

    @Test("a test that overrides no scheduler fails with the name of the missing one")
    func missing() {
        let findings = collectFindings { _ = DependencyValues.current.mainScheduler }
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("withDependencies { $0.mainScheduler = … }") == true)
    }
}
