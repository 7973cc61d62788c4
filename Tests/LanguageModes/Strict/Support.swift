import Dispatch

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
