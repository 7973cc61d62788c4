import Streams

/// The edge: binds the outputs to the terminal, and sends what the user types to the inputs.
@main
struct CounterApp {
    @MainActor
    static func main() async throws {
        let keys = PublishSubject<Counter.Key>()
        let output = Counter().transform(.init(keys: keys))
        let bag = DisposeBag()
        Driver.combineLatest(output.count, output.isRunning) { count, isRunning in
            isRunning ? "\(count), running" : "\(count)"
        }
        .drive(onNext: { print($0) })
        .disposed(by: bag)

        let reading = SerialDispatchQueueScheduler(qos: .userInitiated)
        print("Type + or - to count, 0 to reset, r to run or stop, and then Return.")
        for try await line in Observable.from(Lines(), scheduler: reading).values {
            line.compactMap(Counter.Key.init).forEach(keys.onNext)
        }
    }
}

/// The lines of standard input. Reading one blocks its thread, so they are read on a queue of their own.
nonisolated struct Lines: Sequence, IteratorProtocol {
    func next() -> String? { readLine() }
}
