import Streams
import StreamsTesting

private let one = Observable.just(1)
/// A large number, greater than the number of elements of any source.
private let many = Observable.range(start: 0, count: 90)

extension Operator {
    /// `combineLatest` and `zip` of two to eight streams.
    static let ofJoining: [Operator] = [
        Operator("static combineLatest(_:_:resultSelector:)") { source, _ in
            Observable.combineLatest(source, one) { first, _ in first }
        },
        Operator("static combineLatest(_:_:)") { source, _ in Observable.combineLatest(source, one).map { $0.0 } },
        Operator("static combineLatest(_:_:_:resultSelector:)") { source, _ in
            Observable.combineLatest(source, one, one) { first, _, _ in first }
        },
        Operator("static combineLatest(_:_:_:)") { source, _ in
            Observable.combineLatest(source, one, one).map { $0.0 }
        },
        Operator("static combineLatest(_:_:_:_:resultSelector:)") { source, _ in
            Observable.combineLatest(source, one, one, one) { first, _, _, _ in first }
        },
        Operator("static combineLatest(_:_:_:_:)") { source, _ in
            Observable.combineLatest(source, one, one, one).map { $0.0 }
        },
        Operator("static combineLatest(_:_:_:_:_:resultSelector:)") { source, _ in
            Observable.combineLatest(source, one, one, one, one) { first, _, _, _, _ in first }
        },
        Operator("static combineLatest(_:_:_:_:_:)") { source, _ in
            Observable.combineLatest(source, one, one, one, one).map { $0.0 }
        },
        Operator("static combineLatest(_:_:_:_:_:_:resultSelector:)") { source, _ in
            Observable.combineLatest(source, one, one, one, one, one) { first, _, _, _, _, _ in first }
        },
        Operator("static combineLatest(_:_:_:_:_:_:)") { source, _ in
            Observable.combineLatest(source, one, one, one, one, one).map { $0.0 }
        },
        Operator("static combineLatest(_:_:_:_:_:_:_:resultSelector:)") { source, _ in
            Observable.combineLatest(source, one, one, one, one, one, one) { first, _, _, _, _, _, _ in first }
        },
        Operator("static combineLatest(_:_:_:_:_:_:_:)") { source, _ in
            Observable.combineLatest(source, one, one, one, one, one, one).map { $0.0 }
        },
        Operator("static combineLatest(_:_:_:_:_:_:_:_:resultSelector:)") { source, _ in
            Observable.combineLatest(source, one, one, one, one, one, one, one) { first, _, _, _, _, _, _, _ in first }
        },
        Operator("static combineLatest(_:_:_:_:_:_:_:_:)") { source, _ in
            Observable.combineLatest(source, one, one, one, one, one, one, one).map { $0.0 }
        },
        Operator("static zip(_:_:resultSelector:)") { source, _ in
            Observable.zip(source, many) { first, _ in first }
        },
        Operator("static zip(_:_:)") { source, _ in Observable.zip(source, many).map { $0.0 } },
        Operator("static zip(_:_:_:resultSelector:)") { source, _ in
            Observable.zip(source, many, many) { first, _, _ in first }
        },
        Operator("static zip(_:_:_:)") { source, _ in Observable.zip(source, many, many).map { $0.0 } },
        Operator("static zip(_:_:_:_:resultSelector:)") { source, _ in
            Observable.zip(source, many, many, many) { first, _, _, _ in first }
        },
        Operator("static zip(_:_:_:_:)") { source, _ in Observable.zip(source, many, many, many).map { $0.0 } },
        Operator("static zip(_:_:_:_:_:resultSelector:)") { source, _ in
            Observable.zip(source, many, many, many, many) { first, _, _, _, _ in first }
        },
        Operator("static zip(_:_:_:_:_:)") { source, _ in
            Observable.zip(source, many, many, many, many).map { $0.0 }
        },
        Operator("static zip(_:_:_:_:_:_:resultSelector:)") { source, _ in
            Observable.zip(source, many, many, many, many, many) { first, _, _, _, _, _ in first }
        },
        Operator("static zip(_:_:_:_:_:_:)") { source, _ in
            Observable.zip(source, many, many, many, many, many).map { $0.0 }
        },
        Operator("static zip(_:_:_:_:_:_:_:resultSelector:)") { source, _ in
            Observable.zip(source, many, many, many, many, many, many) { first, _, _, _, _, _, _ in first }
        },
        Operator("static zip(_:_:_:_:_:_:_:)") { source, _ in
            Observable.zip(source, many, many, many, many, many, many).map { $0.0 }
        },
        Operator("static zip(_:_:_:_:_:_:_:_:resultSelector:)") { source, _ in
            Observable.zip(source, many, many, many, many, many, many, many) { first, _, _, _, _, _, _, _ in first }
        },
        Operator("static zip(_:_:_:_:_:_:_:_:)") { source, _ in
            Observable.zip(source, many, many, many, many, many, many, many).map { $0.0 }
        },
    ]
}
