import Foundation
import Streams
import Synchronization
import TestConcurrency
import Testing

private let seconds = ProcessInfo.processInfo.environment["STRESS_SECONDS"].flatMap { Int($0) } ?? 1

/// Random pipelines, to which threads, dispatch queues, tasks and the main actor send at once, as fast as they can.
///
/// `STRESS_SECONDS=600 swift test --filter BacklogStressTests` does so for ten minutes, on each of two test cases.
@Suite("Random pipelines under overload", .limitedConcurrency(within: .seconds(seconds + 60)))
struct BacklogStressTests {
    /// A pipeline that drops and repeats nothing.
    private struct Pipeline {
        let sources = (0..<3).map { _ in PublishSubject<Int>() }
        let bag = DisposeBag()
        private(set) var description = ""
        private(set) var stream: Observable<Int>

        init(_ random: inout some RandomNumberGenerator) {
            stream = .never()
            var streams = sources.map { source in step(source.asObservable(), &random) }
            while streams.count > 1 {
                let (first, second) = (streams.removeFirst(), streams.removeFirst())
                let isMerge = Bool.random(using: &random)
                description += isMerge ? " merge" : " flatMap"
                let both = isMerge ? Observable.merge(first, second) : Observable.of(first, second).flatMap { $0 }
                streams.append(step(both, &random))
            }
            stream = streams[0]
        }

        private mutating func step(
            _ stream: Observable<Int>, _ random: inout some RandomNumberGenerator
        ) -> Observable<Int> {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                description += " share"
                return stream.share()
            case 1:
                description += " share(replay: 1)"
                return stream.share(replay: 1)
            case 2:
                description += " subject"
                let subject = PublishSubject<Int>()
                stream.subscribe(subject).disposed(by: bag)
                return subject.asObservable()
            case 3:
                description += " observe(on:)"
                return stream.observe(on: SerialDispatchQueueScheduler(internalSerialQueueName: "stress"))
            case 4:
                description += " create"
                return Observable.create { observer in stream.subscribe(observer) }
            default:
                description += " map"
                return stream.map { $0 }
            }
        }
    }

    private static func start(_ kind: Int, _ work: @escaping @Sendable () -> Void) {
        switch kind {
        case 0, 1: Foundation.Thread.detachNewThread(work)
        case 2: DispatchQueue.global().async(execute: work)
        case 3: DispatchQueue(label: "stress").async(execute: work)
        case 4: Task.detached { work() }
        default: Task { @MainActor in work() }
        }
    }

    @Test(
        "no element is lost, each sender's stay in order, two observers receive the same, and nothing hangs",
        arguments: [1, 2])
    func run(_ seed: UInt64) async {
        var random = Numbers(state: seed &+ UInt64(seconds))
        let end = ContinuousClock.now + .seconds(seconds)
        repeat {
            let pipeline = Pipeline(&random)
            let (first, second) = (Notes<Int>(), Notes<Int>())
            let work = [0, 0, 10, 100].randomElement(using: &random) ?? 0
            let (spinning, received) = (Counter(), Counter())
            let published = pipeline.stream.publish()
            published.subscribe(onNext: { number in
                for _ in 0..<work { spinning.add(1) }
                first.add(number)
            }).disposed(by: pipeline.bag)
            published.subscribe(onNext: { number in
                second.add(number)
                received.add(1)
            }).disposed(by: pipeline.bag)
            published.connect().disposed(by: pipeline.bag)

            let count = Int.random(in: 1...4_000, using: &random)
            let kinds = (0..<Int.random(in: 2...5, using: &random)).map { _ in Int.random(in: 0..<6, using: &random) }
            for (sender, kind) in kinds.enumerated() {
                let source = pipeline.sources[sender % 3]
                let count = kind == 5 ? min(count, 500) : count
                Self.start(kind) {
                    for number in 0..<count { source.onNext(sender * 10_000 + number) }
                }
            }
            let counts = kinds.map { $0 == 5 ? min(count, 500) : count }
            let total = counts.reduce(0, +)
            // It hangs if nothing arrives for 20 seconds; on a busy machine, all of it may take longer.
            var progress = (received: 0, limit: ContinuousClock.now + .seconds(20))
            while progress.received < total, ContinuousClock.now < progress.limit {
                await Task.yield()
                let now = received.value
                if now != progress.received { progress = (now, .now + .seconds(20)) }
            }
            let elements = first.all
            #expect(received.value == total, "\(pipeline.description), senders \(kinds)")
            #expect(elements == second.all, "\(pipeline.description), senders \(kinds)")
            for sender in kinds.indices {
                let its = elements.filter { $0 / 10_000 == sender }.map { $0 % 10_000 }
                #expect(its.elementsEqual(0..<counts[sender]), "\(pipeline.description), senders \(kinds)")
            }
            if received.value < total { return }
        } while ContinuousClock.now < end
    }
}

/// A generator of repeatable random numbers.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) ^ (state &* 0x9E37_79B9_7F4A_7C15)
    }
}
