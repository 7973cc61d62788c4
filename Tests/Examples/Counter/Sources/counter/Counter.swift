import Streams
import ViewModels

/// A number that keys change, and that grows by itself, once a second, while it runs.
struct Counter: ViewModel {
    enum Key: Character, Sendable { case plus = "+", minus = "-", reset = "0", run = "r" }

    struct Input { let keys: Observable<Key> }

    struct Output {
        let count: Driver<Int>
        let isRunning: Driver<Bool>
    }

    @Dependency(\.mainScheduler) private var scheduler

    func transform(_ input: Input) -> Output {
        let keys = input.keys.share()
        let isRunning = keys.filter { $0 == .run }
            .scan(false) { isRunning, _ in !isRunning }
            .startWith(false)
            .share(replay: 1)
        let ticks = isRunning.flatMapLatest { [scheduler] isRunning in
            isRunning
                ? Observable<Int>.interval(.seconds(1), scheduler: scheduler).map { _ in Key.plus } : .empty()
        }
        let count = Observable.merge(keys, ticks)
            .scan(0) { count, key in
                switch key {
                case .plus: count + 1
                case .minus: count - 1
                case .reset: 0
                case .run: count
                }
            }
            .startWith(0)
            .distinctUntilChanged()
        return Output(
            count: count.asDriver(onErrorDriveWith: .empty()), isRunning: isRunning.asDriver(onErrorJustReturn: false))
    }
}
