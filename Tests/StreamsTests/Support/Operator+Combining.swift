import Dispatch
import Streams
import StreamsTesting

/// An element that is retained forever.
private let nine = Token(9)
/// A large number, greater than the number of elements of any source.
private let tokens = Observable.from((0..<90).map { Token($0) })

extension Operator {
    /// Operators with several sources.
    static let ofCombining: [Operator] = [
        Operator("amb(_:)") { source, _ in source.amb(Observable<Token>.never()) },
        Operator("static amb(_:)") { source, _ in Observable.amb([source, .never()]) },
        Operator("concat(_:)", says: "1@210 2@230 3@255 9@290 |@290") { source, _ in
            source.concat(Observable<Token>.just(nine))
        },
        Operator("concat(_:), second", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in
            Observable.just(nine).concat(source)
        },
        Operator("static concat(_:), sequence", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in
            Observable.concat(Made([.just(nine), source].makeIterator))
        },
        Operator("static concat(_:), collection", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in
            Observable.concat([.just(nine), source])
        },
        Operator("static concat(_:)", says: "1@210 2@230 3@255 9@290 |@290") { source, _ in
            Observable.concat(source, .just(nine))
        },
        Operator("concat()") { source, _ in source.map { Observable.just($0) }.concat() },
        Operator("ifEmpty(default:)", says: "9@290 |@290") { source, _ in
            source.filter { $0.number == 90 }.ifEmpty(default: nine)
        },
        Operator("ifEmpty(switchTo:)", says: "9@290 |@290") { source, _ in
            source.filter { $0.number == 90 }.ifEmpty(switchTo: .just(nine))
        },
        Operator("static merge(_:)", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in
            Observable.merge(source, .just(nine), .empty())
        },
        Operator("static merge(_:), array", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in
            Observable.merge([source, .just(nine)])
        },
        Operator("static merge(_:), collection") { source, _ in Observable.merge(CollectionOfOne(source)) },
        Operator("merge()") { source, _ in source.map { Observable.just($0) }.merge() },
        Operator("merge(maxConcurrent:)", says: "1@240 2@271 3@302 |@303") { source, scheduler in
            source.map { Observable.just($0).delay(.seconds(30), scheduler: scheduler) }.merge(maxConcurrent: 1)
        },
        Operator("startWith(_:)", says: "9@200 1@210 2@230 3@255 |@290") { source, _ in source.startWith(nine) },
        Operator("withLatestFrom(_:)", says: "1@210 1@230 1@255 |@290") { source, _ in
            source.withLatestFrom(Observable.just(1)).map { Token($0) }
        },
        Operator("withLatestFrom(_:resultSelector:)") { source, _ in
            source.withLatestFrom(Observable.just(1)) { first, _ in first }
        },
        Operator("withUnretained(_:)") { source, _ in source.withUnretained(nine).map { $1 } },
        Operator("withUnretained(_:resultSelector:)") { source, _ in source.withUnretained(nine) { $1 } },
        Operator("static combineLatest(_:)") { source, _ in
            Observable.combineLatest([source, .just(nine)]).map { $0[0] }
        },
        Operator("static combineLatest(_:resultSelector:)") { source, _ in
            Observable.combineLatest([source, .just(nine)]) { $0[0] }
        },
        Operator("static zip(_:)") { source, _ in Observable.zip([source, tokens]).map { $0[0] } },
        Operator("static zip(_:resultSelector:)") { source, _ in Observable.zip([source, tokens]) { $0[0] } },
    ]
}
