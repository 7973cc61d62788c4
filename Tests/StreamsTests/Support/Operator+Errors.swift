import Streams
import StreamsTesting

extension Operator {
    /// Error-handling operators, applied so that they forward errors.
    static let ofErrors: [Operator] = [
        Operator("catch(_:)") { source, _ in source.catch { .error($0) } },
        Operator("static catch(sequence:)") { source, _ in Observable.catch(sequence: [source]) },
        Operator("retry(_:)") { source, _ in source.retry(1) },
        Operator("retry(when:)") { source, _ in
            source.retry(when: { (errors: Observable<any Error>) in errors.flatMap { Observable<Int>.error($0) } })
        },
        Operator("retry(when:), of one type") { source, _ in
            source.retry(when: { (errors: Observable<RxError>) in errors })
        },
    ]

    /// The operators that do not terminate on an error.
    static let recovering: [Operator] = [
        Operator("catchAndReturn(_:)") { source, _ in source.catchAndReturn(Token(9)) },
        Operator("retry()") { source, _ in source.retry() },
    ]
}
