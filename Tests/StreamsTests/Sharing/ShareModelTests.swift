import Streams
import StreamsTesting
import Testing
import TestConcurrency

/// Random histories of a shared stream, compared with a plain model: the observers of one subscription in a list.
@Suite("share against a model", .limitedConcurrency(within: .seconds(60)))
struct ShareModelTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let replay: Int
        /// Whether the source emits an element while it is being subscribed.
        let isSynchronous: Bool
        var isDriver = false

        var testDescription: String {
            (isDriver ? "driver" : "replay \(replay)") + (isSynchronous ? ", synchronous source" : "")
        }
    }

    static let kinds = [false, true].flatMap { isSynchronous in
        (0...2).map { Kind(replay: $0, isSynchronous: isSynchronous) }
            + [Kind(replay: 1, isSynchronous: isSynchronous, isDriver: true)]
    }

    @Test(
        "share and drivers do as a list of observers would, whatever happens during their deliveries",
        arguments: kinds)
    @MainActor
    func histories(_ kind: Kind) {
        for seed in 0..<400 {
            let expected = History(seed: seed, of: ModelStream(kind)).run()
            let received = History(seed: seed, of: RealStream(kind)).run()
            #expect(received == expected, "seed \(seed)")
            if received != expected { return }
        }
    }
}

/// The operations of a history. Observers are numbered in the order of their subscriptions.
@MainActor
private protocol TestedStream: AnyObject {
    /// The number of subscriptions to the source.
    var connections: Int { get }
    /// Whether the source has an observer.
    var isConnected: Bool { get }

    func subscribe(_ observer: Int, _ receive: @escaping @MainActor @Sendable (String) -> Void)
    func dispose(_ observer: Int)
    /// Sends an element, `nil` for completion, or an error through the newest connection.
    func send(_ event: Result<Int?, Failure>)
}

/// A random history, the same for every stream with equal behaviour.
@MainActor
private final class History {
    private let seed: Int
    private let stream: any TestedStream
    private var log: [String] = []
    private var observers = 0
    private var elements = 0
    private var received: [Int: Int] = [:]
    /// The observers whose `subscribe` call is in progress. They have nothing to dispose yet, and nothing is sent
    /// meanwhile: `SubscriptionOrderTests` cover that.
    private var starting: Set<Int> = []

    init(seed: Int, of stream: any TestedStream) {
        self.seed = seed
        self.stream = stream
    }

    func run() -> [String] {
        for position in 0..<25 {
            perform(random(position, 0))
            log.append("\(stream.connections)\(stream.isConnected ? " connected" : "")")
        }
        for observer in 0..<observers { stream.dispose(observer) }
        log.append(stream.isConnected ? "still connected" : "disconnected")
        return log
    }

    private func perform(_ number: Int) {
        let choice = number / 100
        switch number % 100 {
        case ..<30 where observers < 12:
            let observer = observers
            observers += 1
            starting.insert(observer)
            stream.subscribe(observer) { [unowned self] event in
                log.append("\(observer): \(event)")
                received[observer, default: 0] += 1
                let next = random(observer + 100, received[observer, default: 0])
                if next % 3 == 0 { perform(next / 3) }
            }
            starting.remove(observer)
        case ..<55:
            if observers > 0, !starting.contains(choice % observers) { stream.dispose(choice % observers) }
        case ..<92:
            if !starting.isEmpty { return }
            elements += 1
            stream.send(.success(elements))
        case ..<97: if starting.isEmpty { stream.send(.success(nil)) }
        default: if starting.isEmpty { stream.send(.failure(.expected)) }
        }
    }

    /// A number that depends on the seed and the arguments only.
    private func random(_ first: Int, _ second: Int) -> Int {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(first) &* 0xD1B5_4A32_D192_ED03 &+ UInt64(second)
        for _ in 0..<3 {
            state ^= state >> 30
            state = state &* 0xBF58_476D_1CE4_E5B9
            state ^= state >> 27
        }
        return Int(state >> 16)
    }
}

@MainActor
private final class ModelStream: TestedStream {
    private final class Connection {
        var observers: [Int] = []
        var latest: [Int] = []
        /// Whether its source has been subscribed, and has neither terminated nor been disposed.
        var isOpen = false
        var queue: [Result<Int?, Failure>] = []
        var isDelivering = false
    }

    private let kind: ShareModelTests.Kind
    private var receive: [Int: @MainActor @Sendable (String) -> Void] = [:]
    private var current: Connection?
    private var newest: Connection?
    private(set) var connections = 0
    var isConnected: Bool { newest?.isOpen ?? false }

    init(_ kind: ShareModelTests.Kind) { self.kind = kind }

    func subscribe(_ observer: Int, _ receive: @escaping @MainActor @Sendable (String) -> Void) {
        self.receive[observer] = receive
        if let current {
            current.observers.append(observer)
            for element in current.latest where current.observers.contains(observer) { receive("\(element)") }
            return
        }
        let connection = Connection()
        connection.observers = [observer]
        current = connection
        connections += 1
        newest = connection
        if kind.isSynchronous { deliver(-connections, through: connection) }
        connection.isOpen = current === connection
    }

    func dispose(_ observer: Int) {
        receive[observer] = nil
        guard let current, current.observers.contains(observer) else { return }
        current.observers.removeAll { $0 == observer }
        if current.observers.isEmpty {
            current.isOpen = false
            self.current = nil
        }
    }

    func send(_ event: Result<Int?, Failure>) {
        guard let connection = newest, connection.isOpen else { return }
        connection.queue.append(event)
        if connection.isDelivering { return }
        connection.isDelivering = true
        while !connection.queue.isEmpty, connection.isOpen {
            switch connection.queue.removeFirst() {
            case .success(let element?): deliver(element, through: connection)
            case .success(nil): end("completed", connection)
            case .failure: end(kind.isDriver ? "completed" : "failed", connection)
            }
        }
        connection.isDelivering = false
    }

    private func deliver(_ element: Int, through connection: Connection) {
        connection.latest = (connection.latest + [element]).suffix(kind.replay)
        for observer in connection.observers where connection.observers.contains(observer) {
            receive[observer]?("\(element)")
        }
    }

    private func end(_ event: String, _ connection: Connection) {
        connection.isOpen = false
        current = nil
        for observer in connection.observers { receive.removeValue(forKey: observer)?(event) }
    }
}

@MainActor
private final class RealStream: TestedStream {
    private var shared = Observable<Int>.never()
    private var subscriptions: [Int: SerialDisposable] = [:]
    private var newest: PublishSubject<Int>?
    private(set) var connections = 0
    var isConnected: Bool { newest?.hasObservers ?? false }

    init(_ kind: ShareModelTests.Kind) {
        let source = Observable<Int>.create { [unowned self] observer in
            MainActor.assumeIsolated {
                connections += 1
                let subject = PublishSubject<Int>()
                newest = subject
                if kind.isSynchronous { observer.onNext(-connections) }
                return subject.subscribe(observer)
            }
        }
        shared =
            kind.isDriver
            ? source.asDriver(onErrorRecover: { _ in .empty() }).asObservable() : source.share(replay: kind.replay)
    }

    func subscribe(_ observer: Int, _ receive: @escaping @MainActor @Sendable (String) -> Void) {
        let subscription = SerialDisposable()
        subscriptions[observer] = subscription
        subscription.disposable = shared.subscribe { event in
            MainActor.assumeIsolated {
                switch event {
                case .next(let element): receive("\(element)")
                case .error: receive("failed")
                case .completed: receive("completed")
                }
            }
        }
    }

    func dispose(_ observer: Int) { subscriptions[observer]?.dispose() }

    func send(_ event: Result<Int?, Failure>) {
        switch event {
        case .success(let element?): newest?.onNext(element)
        case .success(nil): newest?.onCompleted()
        case .failure(let error): newest?.onError(error)
        }
    }
}
