import Samples
import Streams
import StreamsTesting
import ViewModels

/// A search screen as input and outputs: what is typed is looked up when no key has been pressed for a second, and the
/// outputs are the rows, whether a request is under way, and messages about failed ones.
@MainActor
struct DebouncedSearch<E: Sample> {
    let query = PublishRelay<E>()
    let rows: Driver<[E]>
    let isLoading: Driver<Bool>
    let messages: Driver<String>

    init(_ scheduler: TestScheduler) {
        let activity = ActivityTracker()
        let errors = PublishRelay<String>()
        rows = query.debounce(.seconds(1), scheduler: scheduler)
            .distinctUntilChanged()
            .flatMapLatest { text in
                Self.request(text).trackActivity(activity).asObservable()
                    .catch { error in
                        errors.accept("\(error)")
                        return .empty()
                    }
            }
            .asDriver(onErrorJustReturn: [])
        isLoading = activity.asDriver()
        messages = errors.asDriver()
    }

    nonisolated private static func request(_ text: E) -> Single<[E]> {
        Single.create { answer in
            answer(text.isRare ? .failure(RxError.timeout) : .success([text, text.next]))
            return Disposables.create()
        }
    }
}

/// The same screen by hand, on the main actor: lists of closures, a timer on the clock, and a number for each request,
/// by which the answer to an earlier one is recognised.
@MainActor
final class HandDebouncedSearch<E: Sample> {
    private let clock: HandClock
    private var timer: HandClock.Timer?
    private var query: E?
    private var requests = 0
    private var running = 0
    private var rowListeners: [([E]) -> Void] = []
    private var loadingListeners: [(Bool) -> Void] = []
    private var messageListeners: [(String) -> Void] = []

    private init(_ clock: HandClock) { self.clock = clock }

    /// Not inlined: a screen that lives and dies in one function would need no heap, which no program's screen does.
    @inline(never)
    static func make(_ clock: HandClock) -> HandDebouncedSearch { HandDebouncedSearch(clock) }

    @inline(never)
    func onRows(_ next: @escaping ([E]) -> Void) { rowListeners.append(next) }

    /// Calls `next` with whether a request is under way, at once and at each change.
    @inline(never)
    func onLoading(_ next: @escaping (Bool) -> Void) {
        loadingListeners.append(next)
        next(running > 0)
    }

    @inline(never)
    func onMessage(_ next: @escaping (String) -> Void) { messageListeners.append(next) }

    @inline(never)
    func type(_ text: E) {
        timer?.cancel()
        timer = clock.schedule(after: 1) { [weak self] in MainActor.assumeIsolated { self?.search(text) } }
    }

    private func search(_ text: E) {
        if text == query { return }
        query = text
        requests += 1
        let number = requests
        change(by: 1)
        Self.request(text) { [weak self] result in
            guard let self else { return }
            if requests == number {
                switch result {
                case .success(let rows): for next in rowListeners { next(rows) }
                case .failure(let error): for next in messageListeners { next("\(error)") }
                }
            }
            change(by: -1)
        }
    }

    private func change(by difference: Int) {
        let before = running
        running += difference
        if before == 0 || running == 0 { for next in loadingListeners { next(running > 0) } }
    }

    @inline(never)
    private static func request(_ text: E, _ answer: @escaping (Result<[E], any Error>) -> Void) {
        answer(text.isRare ? .failure(RxError.timeout) : .success([text, text.next]))
    }
}
