import Streams
import StreamsTesting

extension Operator {
    /// Operators that observe events, and operators that convert the type of the stream.
    static let ofWatching: [Operator] = [
        Operator(
            "do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)"
        ) { source, _ in
            source.do(
                onNext: { _ in }, afterNext: { _ in }, onError: { _ in }, afterError: { _ in }, onCompleted: {},
                afterCompleted: {}, onSubscribe: {}, onSubscribed: {}, onDispose: {})
        },
        Operator("asSingle()", says: "2@290 |@290") { source, _ in
            source.filter { $0.number == 2 }.asSingle().asObservable()
        },
        Operator("asMaybe()", says: "2@290 |@290") { source, _ in
            source.filter { $0.number == 2 }.asMaybe().asObservable()
        },
        Operator("first()", says: "nil@290 |@290") { source, _ in
            source.filter { $0.number == 90 }.first().asObservable()
        },
        Operator("toArray()", says: "[1, 2, 3]@290 |@290") { source, _ in source.toArray().asObservable() },
        Operator("asCompletable()", says: "|@290") { source, _ in
            source.ignoreElements().asCompletable().asObservable()
        },
        Operator("static create(_:)") { source, _ in Observable.create { source.subscribe($0) } },
        Operator("static deferred(_:)") { source, _ in Observable.deferred { source } },
        Operator("static using(_:observableFactory:)") { source, _ in
            Observable.using({ BooleanDisposable() }, observableFactory: { _ in source })
        },
        Operator("multicast(_:selector:)") { source, _ in
            source.multicast({ PublishSubject<Token>() }, selector: { $0.filter { $0.number > 0 } })
        },
    ]

    /// The operators that share a subscription.
    static let sharing: [Operator] = [
        Operator("share(replay:scope:)") { source, _ in source.share() },
        Operator("share(replay:scope:), one") { source, _ in source.share(replay: 1) },
        Operator("share(replay:scope:), two") { source, _ in source.share(replay: 2) },
        Operator("share(replay:scope:), forever") { source, _ in source.share(replay: 1, scope: .forever) },
        Operator("multicast(_:)") { source, _ in source.multicast(PublishSubject<Token>()).refCount() },
        Operator("multicast(makeSubject:)", says: "3@290 |@290") { source, _ in
            source.multicast(makeSubject: { AsyncSubject<Token>() }).refCount()
        },
        Operator("publish()") { source, _ in source.publish().refCount() },
        Operator("refCount()") { source, _ in source.publish().refCount() },
        Operator("replay(_:)") { source, _ in source.replay(1).refCount() },
        Operator("replayAll()") { source, _ in source.replayAll().refCount() },
    ]
}
