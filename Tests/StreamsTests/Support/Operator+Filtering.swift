import Dispatch
import Streams
import StreamsTesting

extension Operator {
    /// Operators that filter elements.
    static let ofFiltering: [Operator] = [
        Operator("filter(_:)", says: "1@210 3@255 |@290") { source, _ in source.filter { $0.number != 2 } },
        Operator("distinctUntilChanged()") { source, _ in source.distinctUntilChanged() },
        Operator("distinctUntilChanged(_:)", says: "1@210 2@230 |@290") { source, _ in
            source.distinctUntilChanged { $0.number / 2 }
        },
        Operator("distinctUntilChanged(_:), comparer", says: "1@210 2@230 |@290") { source, _ in
            source.distinctUntilChanged { $0.number / 2 == $1.number / 2 }
        },
        Operator("distinctUntilChanged(at:)") { source, _ in source.distinctUntilChanged(at: \.number) },
        Operator("distinctUntilChanged(_:comparer:)", says: "1@210 2@230 |@290") { source, _ in
            source.distinctUntilChanged({ $0.number }, comparer: { $0 / 2 == $1 / 2 })
        },
        Operator("element(at:)", says: "!Argument out of range.@290") { source, _ in source.element(at: 90) },
        Operator("ignoreElements()", says: "|@290") { source, _ in source.ignoreElements() },
        Operator("sample(_:defaultValue:)", says: "1@225 2@250 3@275 |@300") { source, scheduler in
            source.sample(Observable<Int>.interval(.seconds(25), scheduler: scheduler))
        },
        Operator("single()", says: "2@230 |@290") { source, _ in source.filter { $0.number == 2 }.single() },
        Operator("single(_:)", says: "2@230 |@290") { source, _ in source.single { $0.number == 2 } },
        Operator("skip(_:)", says: "2@230 3@255 |@290") { source, _ in source.skip(1) },
        Operator("skip(for:scheduler:)", says: "2@230 3@255 |@290") { source, scheduler in
            source.skip(for: .seconds(15), scheduler: scheduler)
        },
        Operator("skip(_:scheduler:)", says: "2@230 3@255 |@290") { source, scheduler in
            source.skip(.seconds(15), scheduler: scheduler)
        },
        Operator("skip(while:)", says: "2@230 3@255 |@290") { source, _ in source.skip(while: { $0.number < 2 }) },
        Operator("skip(until:)") { source, _ in source.skip(until: Observable.just(1)) },
        Operator("take(_:)") { source, _ in source.take(90) },
        Operator("take(for:scheduler:)") { source, scheduler in
            source.take(for: .seconds(900), scheduler: scheduler)
        },
        Operator("takeLast(_:)", says: "2@290 3@290 |@290") { source, _ in source.takeLast(2) },
        Operator("take(until:)") { source, _ in source.take(until: Observable<Int>.never()) },
        Operator("take(until:behavior:)") { source, _ in source.take(until: { $0.number == 90 }) },
        Operator("take(while:behavior:)") { source, _ in source.take(while: { $0.number != 90 }) },
    ]
}
