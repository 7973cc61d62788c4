import Foundation
import Dispatch
import Streams
import StreamsTesting

extension Operator {
    /// Operators that transform elements.
    static let ofTransforming: [Operator] = [
        Operator("map(_:)") { source, _ in source.map { $0 } },
        Operator("compactMap(_:)", says: "1@210 3@255 |@290") { source, _ in
            source.compactMap { $0.number == 2 ? nil : $0 }
        },
        Operator("decode(type:decoder:)") { source, _ in
            source.map { Data("\($0.number)".utf8) }.decode(type: Int.self, decoder: JSONDecoder())
        },
        Operator("enumerated()", says: "0:1@210 1:2@230 2:3@255 |@290") { source, _ in
            source.enumerated().map { "\($0.index):\($0.element)" }
        },
        Operator("flatMap(_:)", says: "1@210 1@210 2@230 2@230 3@255 3@255 |@290") { source, _ in
            source.flatMap { Observable.of($0, $0) }
        },
        Operator("flatMap(_:), delayed", says: "1@240 2@260 3@285 |@290") { source, scheduler in
            source.flatMap { Observable.just($0).delay(.seconds(30), scheduler: scheduler) }
        },
        Operator("flatMap(_:), just") { source, _ in source.flatMap { Observable.just($0) } },
        Operator("concatMap(_:)", says: "1@240 2@271 3@302 |@303") { source, scheduler in
            source.concatMap { Observable.just($0).delay(.seconds(30), scheduler: scheduler) }
        },
        Operator("flatMapFirst(_:)", says: "1@240 3@285 |@290") { source, scheduler in
            source.flatMapFirst { Observable.just($0).delay(.seconds(30), scheduler: scheduler) }
        },
        Operator("flatMapLatest(_:)", says: "2@252 3@277 |@290") { source, scheduler in
            source.flatMapLatest { Observable.just($0).delay(.seconds(22), scheduler: scheduler) }
        },
        Operator("flatMapLatest(_:), just") { source, _ in source.flatMapLatest { Observable.just($0) } },
        Operator("switchLatest()", says: "1@211 2@231 3@256 |@290") { source, scheduler in
            source.map { Observable.just($0, scheduler: scheduler) }.switchLatest()
        },
        Operator("groupBy(keySelector:)", says: "1:1@210 0:2@230 1:3@255 |@290") { source, _ in
            source.groupBy { $0.number % 2 }.flatMap { group in group.map { "\(group.key):\($0)" } }
        },
        Operator("materialize()") { source, _ in source.materialize().dematerialize() },
        Operator("dematerialize()") { source, _ in source.materialize().dematerialize() },
        Operator("reduce(_:accumulator:)", says: "3@290 |@290") { source, _ in
            source.reduce(Token(0)) { $1.number == 2 ? $0 : $1 }
        },
        Operator("reduce(_:accumulator:mapResult:)", says: "3@290 |@290") { source, _ in
            source.reduce([], accumulator: { $0 + [$1] }, mapResult: { $0.count })
        },
        Operator("scan(_:accumulator:)") { source, _ in source.scan(Token(0)) { $1.number > $0.number ? $1 : $0 } },
        Operator("scan(into:accumulator:)") { source, _ in
            source.scan(into: [Token]()) { $0.append($1) }.map { $0.count }
        },
        Operator("buffer(count:)", says: "[1, 2]@230 [3]@290 |@290") { source, _ in source.buffer(count: 2) },
        Operator("buffer(timeSpan:count:scheduler:)", says: "[1, 2]@230 [3]@260 []@290 |@290") { source, scheduler in
            source.buffer(timeSpan: .seconds(30), count: 2, scheduler: scheduler)
        },
        Operator("window(timeSpan:count:scheduler:)", says: "0:1@210 0:2@230 1:3@255 |@290") { source, scheduler in
            source.window(timeSpan: .seconds(30), count: 2, scheduler: scheduler).enumerated()
                .flatMap { index, window in window.map { "\(index):\($0)" } }
        },
    ]
}
