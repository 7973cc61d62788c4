/// How often open pages show what others change.
///
/// Each change reaches every page that shows it. Up to 100 pages show it at once. More take turns, about 500 a second in
/// all, however many changes there are; each then shows the newest state. A page whose user has just acted does not wait.
@MainActor
final class LivePace {
    /// The number of pages with an open stream of patches.
    var pageCount = 0

    /// The turns of the pages that wait, in order, from `next`.
    private var waiting: [@MainActor () -> Void] = []
    private var next = 0
    /// One for all pages: one for each would cost more than the patches.
    private let timer = SerialDisposable()

    private static let interval = RxTimeInterval.milliseconds(20)
    private static let turnsAtOnce = 10

    /// Whether pages take turns.
    var isBusy: Bool { pageCount > 100 }

    /// Calls `turn` when the page has its turn.
    func enqueue(_ turn: @escaping @MainActor () -> Void) {
        waiting.append(turn)
        if waiting.count == 1 { wait() }
    }

    private func wait() {
        timer.disposable = Driver.just(()).delay(Self.interval).drive(onNext: { [weak self] in self?.giveTurns() })
    }

    private func giveTurns() {
        let end = min(waiting.count, next + Self.turnsAtOnce)
        for turn in waiting[next..<end] { turn() }
        next = end
        if next > waiting.count / 2 {
            waiting.removeFirst(next)
            next = 0
        }
        if !waiting.isEmpty { wait() }
    }
}
