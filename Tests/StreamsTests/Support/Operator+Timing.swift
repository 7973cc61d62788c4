import Dispatch
import Streams
import StreamsTesting

private let nine = Token(9)

extension Operator {
    /// Timed operators.
    static let ofTiming: [Operator] = [
        Operator("debounce(_:scheduler:)", says: "2@252 3@277 |@290") { source, scheduler in
            source.debounce(.seconds(22), scheduler: scheduler)
        },
        Operator("throttle(_:latest:scheduler:)", says: "1@210 2@240 3@270 |@290") { source, scheduler in
            source.throttle(.seconds(30), scheduler: scheduler)
        },
        Operator("throttle(_:latest:scheduler:), first", says: "1@210 3@255 |@290") { source, scheduler in
            source.throttle(.seconds(30), latest: false, scheduler: scheduler)
        },
        Operator("delay(_:scheduler:)", says: "1@217 2@237 3@262 |@297") { source, scheduler in
            source.delay(.seconds(7), scheduler: scheduler)
        },
        Operator("delaySubscription(_:scheduler:)") { source, scheduler in
            source.delaySubscription(.seconds(7), scheduler: scheduler)
        },
        Operator("timeout(_:scheduler:)") { source, scheduler in source.timeout(.seconds(700), scheduler: scheduler) },
        Operator("timeout(_:other:scheduler:)") { source, scheduler in
            source.timeout(.seconds(700), other: Observable.just(nine), scheduler: scheduler)
        },
        Operator("observe(on:)", says: "1@211 2@231 3@256 |@291") { source, scheduler in
            source.observe(on: scheduler)
        },
        Operator("subscribe(on:)") { source, scheduler in source.subscribe(on: scheduler) },
    ]
}
