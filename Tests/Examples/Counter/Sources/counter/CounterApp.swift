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

        print("Type + or - to count, 0 to reset, r to run or stop, and then Return.")
        for try await line in lines.values {
            line.compactMap(Counter.Key.init).forEach(keys.onNext)
        }
    }

    /// The lines of standard input. Reading blocks its thread, so it has a queue of its own.
    private static var lines: Observable<String> {
        .create { observer in
            while let line = readLine() { observer.onNext(line) }
            observer.onCompleted()
            return Disposables.create()
        }
        .subscribe(on: SerialDispatchQueueScheduler(qos: .userInitiated))
    }
}
