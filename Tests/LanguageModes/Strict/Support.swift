import Dispatch
import Streams
import StreamsTesting
import Testing

/// Fails the test unless the sequence emits exactly these elements, in virtual time, until it completes.
@MainActor
func expectElements<Strategy, Element: Sendable>(
    _ sequence: @autoclosure () -> SharedSequence<Strategy, Element>, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let scheduler = TestScheduler(initialClock: 0)
    let observer = scheduler.createObserver(Element.self)
    SharingScheduler.mock(scheduler: scheduler) {
        let subscription = sequence().asObservable().subscribe(observer)
        scheduler.start()
        subscription.dispose()
    }
    let elements = observer.events.compactMap(\.value.element).map { "\($0)" }.joined(separator: " ")
    #expect(elements == words, sourceLocation: sourceLocation)
    #expect(observer.events.last?.value.isCompleted == true, sourceLocation: sourceLocation)
}

/// Returns when the main queue has run its pending work. Binders act immediately only while no other work is pending
/// there, such as that of concurrent tests.
nonisolated func mainQueue() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}

/// A view, which is isolated to the main actor.
@MainActor
final class Label {
    var text = ""
    var number: Int?
    var isHidden = false
}
