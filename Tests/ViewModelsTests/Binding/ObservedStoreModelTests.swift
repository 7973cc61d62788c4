import Dispatch
import Foundation
import Observation
import Streams
import StreamsTesting
import Synchronization
import TestReporting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// Random readers, sends and background senders against one rule: a reader that was not told reads what it has read.
@Suite("Readers of observed stores", .takesTurns, .nothingSurvives)
@MainActor
struct ObservedStoreModelTests {
    private struct Numbers: Flow {
        /// Not `Equatable`; differs after every action.
        struct Actions: Sendable {
            var count = 0
        }
        struct State: Sendable {
            var numbers: [Int] = [0, 0, 0]
            var actions = Actions()
            var a: Int { numbers[0] }
            var b: Int { numbers[1] }
            var c: Int { numbers[2] }
        }
        struct Action: Sendable {
            let part: Int
            let number: Int

            /// Few values, so that many actions change nothing and many restore an earlier value.
            init(_ random: inout SeededGenerator) {
                part = Int.random(in: 0..<3, using: &random)
                number = Int.random(in: 0..<3, using: &random)
            }
        }

        var initialState: State { State() }

        func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
            state.numbers[action.part] = action.number
            state.actions.count += 1
            return .none
        }
    }

    private typealias Store = ObservedStore<Numbers.State, Numbers.Action, Never>

    /// A view that has read some parts, once.
    @MainActor
    private final class Reader {
        private final class Told: Sendable {
            let isTold = Atomic(false)
        }

        private var read: [Int: Int] = [:]
        private let told = Told()

        init(of store: Store, _ random: inout SeededGenerator) {
            let parts = (0...Int.random(in: 0..<3, using: &random)).map { _ in Int.random(in: 0..<4, using: &random) }
            withObservationTracking {
                for part in parts { read[part] = Self.value(of: part, in: store) }
            } onChange: { [told] in
                told.isTold.store(true, ordering: .relaxed)
            }
        }

        var isTold: Bool { told.isTold.load(ordering: .relaxed) }

        func isStale(in store: Store) -> Bool {
            let state = store.store.currentState
            let numbers = state.numbers + [state.actions.count]
            return read.contains { $0.value != numbers[$0.key] }
        }

        static func value(of part: Int, in store: Store) -> Int {
            switch part {
            case 0: store.a
            case 1: store.b
            case 2: store.c
            default: (store.actions as Numbers.Actions).count
            }
        }
    }

    private nonisolated static let seeds =
        ProcessInfo.processInfo.environment["OBSERVED_SEEDS"].flatMap(UInt64.init) ?? 20

    @Test("a change reaches a reader of an observed store exactly if the parts it read differ", arguments: 0..<seeds)
    func exact(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let store = Store(Numbers())
        var readers: [Reader] = []
        for _ in 0..<200 {
            if Bool.random(using: &random) {
                readers.append(Reader(of: store, &random))
            } else {
                store.send(Numbers.Action(&random))
            }
            for reader in readers { #expect(reader.isTold == reader.isStale(in: store), "seed \(seed)") }
            readers.removeAll { $0.isTold }
        }
    }

    @Test(
        "no reader of an observed store stays stale while others read, observers read, and threads send",
        arguments: 0..<seeds)
    func senders(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let store = Store(Numbers())
        let bag = DisposeBag()
        // Observers that read before and after the store's own observer compares.
        store.store.state.drive(onNext: { [weak store] _ in _ = store?.a }).disposed(by: bag)
        if Bool.random(using: &random) { _ = store.b }
        store.store.state.drive(onNext: { [weak store] _ in _ = store?.c }).disposed(by: bag)
        var readers: [Reader] = []
        for _ in 0..<20 {
            let senders = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                let (flow, seed) = (store.store, random.next())
                return Task.detached {
                    var random = SeededGenerator(seed: seed)
                    for _ in 0..<Int.random(in: 1...8, using: &random) { flow.send(Numbers.Action(&random)) }
                }
            }
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: store.send(Numbers.Action(&random))
                case 1: await Task.yield()
                default: readers.append(Reader(of: store, &random))
                }
            }
            for sender in senders { await sender.value }
            // Everything that was sent is in the main queue, before this.
            await withCheckedContinuation { ready in DispatchQueue.main.async { ready.resume() } }
            for reader in readers where !reader.isTold { #expect(!reader.isStale(in: store), "seed \(seed)") }
            readers.removeAll { $0.isTold }
        }
    }
}
