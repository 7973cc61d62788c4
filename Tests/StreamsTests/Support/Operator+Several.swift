import Streams
import StreamsTesting

/// Keeps `withUnretained` going.
private let someone = Token(0)

extension Operator {
    static let ofSeveralSources: [Operator] = [
        Operator("startWith") { source, _ in source.startWith(Token(9)) },
        Operator("concat") { source, _ in source.concat(Observable<Token>.empty()) },
        Operator("concat, second") { source, _ in Observable.just(Token(9)).concat(source) },
        Operator("concat of a sequence") { source, _ in Observable.concat(Made([.empty(), source].makeIterator)) },
        Operator("concatMap") { source, _ in source.concatMap { Observable.just($0) } },
        Operator("flatMap") { source, _ in source.flatMap { Observable.of($0) } },
        Operator("flatMapFirst") { source, _ in source.flatMapFirst { Observable.of($0) } },
        Operator("merge") { source, _ in Observable.merge(source, .just(Token(9)), .empty()) },
        Operator("merge(maxConcurrent:)") { source, _ in
            source.map { Observable.just($0) }.merge(maxConcurrent: 2)
        },
        Operator("combineLatest") { source, _ in
            Observable.combineLatest(source, Observable.just(1)) { first, _ in first }
        },
        Operator("combineLatest of a collection") { source, _ in
            Observable.combineLatest([source, .just(Token(9))]) { $0[0] }
        },
        Operator("zip") { source, _ in
            Observable.zip(source, Observable.range(start: 0, count: 90)) { first, _ in first }
        },
        Operator("zip of a collection") { source, _ in
            Observable.zip([source, Observable.from((0..<90).map { Token($0) })]) { $0[0] }
        },
        Operator("withLatestFrom") { source, _ in source.withLatestFrom(Observable.just(1)) { first, _ in first } },
        Operator("withUnretained") { source, _ in source.withUnretained(someone) { $1 } },
        Operator("amb") { source, _ in source.amb(Observable<Token>.never()) },
        Operator("ifEmpty(default:)") { source, _ in source.ifEmpty(default: Token(9)) },
        Operator("ifEmpty(switchTo:)") { source, _ in source.ifEmpty(switchTo: .just(Token(9))) },
        Operator("catch") { source, _ in source.catch { .error($0) } },
        Operator("catch(sequence:)") { source, _ in Observable.catch(sequence: [source]) },
        Operator("retry") { source, _ in source.retry(1) },
        Operator("retry(when:)") { source, _ in
            source.retry(when: { (errors: Observable<any Error>) in errors.flatMap { Observable<Int>.error($0) } })
        },
        Operator("do") { source, _ in
            source.do(
                onNext: { _ in }, afterNext: { _ in }, onError: { _ in }, afterError: { _ in }, onCompleted: {},
                afterCompleted: {}, onSubscribe: {}, onSubscribed: {}, onDispose: {})
        },
        Operator("toArray") { source, _ in source.toArray().asObservable() },
        Operator("multicast with a selector") { source, _ in
            source.multicast({ PublishSubject<Token>() }) { $0.filter { $0.number > 0 } }
        },
    ]

    static let sharing: [Operator] = [
        Operator("share") { source, _ in source.share() },
        Operator("share(replay: 1)") { source, _ in source.share(replay: 1) },
        Operator("share(scope: .forever)") { source, _ in source.share(scope: .forever) },
        Operator("publish, refCount") { source, _ in source.publish().refCount() },
    ]
}
