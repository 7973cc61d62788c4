import Streams

/// Expressions whose closures have no annotations, as people write them with RxSwift. Each overload that such a closure
/// meets multiplies the work of the type checker, which gives up after a while.
nonisolated func unannotatedExpressions(_ refresh: Observable<Void>) -> [Observable<Int>] {
    let stream1 = refresh.scan(0) { n, _ in n + 1 }.concatMap { page in Observable.from([page * 20, page * 20 + 1]) }
    let stream2 = refresh.scan(0) { n, _ in n + 1 }.flatMap { page in Observable.from([page * 20, page * 20 + 1]) }
    let stream3 = refresh.scan(0) { n, _ in n + 1 }.flatMapLatest { page in Observable.just(page * 20 + 1) }
    let stream4 = refresh.scan(0) { n, _ in n + 1 }.flatMap { page in Observable.of(page * 20, page * 20 + 1) }
    let stream5 = refresh.scan(0) { n, _ in n + 1 }.concatMap { page in
        Observable<Int>.from([page * 20, page * 20 + 1])
    }
    let stream6 = refresh.scan(0) { n, _ in n + 1 }.concatMap { Observable.from([$0 * 20, $0 * 20 + 1]) }
    let stream7 = refresh.scan(0) { n, _ in n + 1 }.concatMap { (page: Int) in
        Observable.from([page * 20, page * 20 + 1])
    }
    let stream8 = refresh.scan(0) { $0 + 1 + ($1 == () ? 0 : 0) }.concatMap { page in Observable.from([page * 20]) }
    let stream9 = refresh.map { 1 }.flatMapLatest { page in Observable.from([page, page + 1, page + 2]) }
    let stream10 = refresh.map { "a" }.flatMap { text in Observable.from([text + "1", text + "2", text + "3"]) }.map {
        $0.count
    }
    let stream11 = refresh.map { "a" }.flatMapLatest { q in
        Observable.zip(Observable.just(q.count), Observable.just(q.count * 2)) { $0 + $1 }
    }
    let stream12 = Observable.combineLatest(refresh.map { 1 }, refresh.map { 2 }, refresh.map { 3 }) { $0 + $1 + $2 }
    let stream13 = Observable.combineLatest(refresh.map { 1 }, refresh.map { 2 }, refresh.map { 3 }) {
        ($0 + $1) * $2 + $0 * 2 - $1
    }
    let stream14 = Observable.merge(refresh.map { 1 }, refresh.map { 2 }.filter { $0 > 1 }, refresh.map { 3 }).scan(0) {
        $0 + $1 * 2
    }
    let stream15 = refresh.map { 1 }.withLatestFrom(refresh.map { 2 }) { $0 * 10 + $1 * 2 }.scan(0) { $0 + $1 }.filter {
        $0 % 2 == 0
    }
    let stream16 = refresh.map { [1, 2, 3] }.flatMap { Observable.from($0).map { $0 * 2 } }.scan(0) { $0 + $1 }
    let stream17 = refresh.map { 5 }.flatMapLatest { n in Observable.range(start: 0, count: n).map { $0 * n + 1 } }
        .scan(0) { $0 + $1 }
    let stream18 = refresh.map { 5 }.concatMap { n in
        Observable.concat(Observable.just(n), Observable.just(n + 1), Observable.just(n * 2))
    }
    let stream19 = refresh.map { 5 }.flatMap { n in
        Observable<Int>.timer(.milliseconds(n * 10), scheduler: MainScheduler.instance).map { $0 + n }
    }
    let stream20 = Observable.of(1, 2, 3).flatMap { n in
        Observable.of(n, n * 2).flatMap { m in Observable.of(m, m + n) }
    }
    let stream21 = Observable.from([1, 2, 3]).flatMap { n in
        Observable.from([n, n * 2]).flatMap { m in Observable.from([m, m + n]) }
    }
    let stream22 = Observable.from([1, 2, 3]).concatMap { n in Observable.from([n, n * 2]) }.map { $0 + 1 }.scan(0) {
        $0 + $1
    }
    let stream23 = Observable.from(1...3).flatMap { n in Observable.from(1...n) }.map { $0 * 2 }
    return [
        stream1, stream2, stream3, stream4, stream5, stream6, stream7, stream8, stream9, stream10, stream11, stream12,
        stream13, stream14, stream15, stream16, stream17, stream18, stream19, stream20, stream21, stream22, stream23,
    ]
}
