import Streams

/// What a driver or signal says, from now until this is let go.
@MainActor
final class Heard<Element: Sendable> {
    private(set) var elements: [Element] = []
    private let bag = DisposeBag()

    init<Sequence: SharedSequenceConvertibleType>(_ sequence: Sequence) where Sequence.Element == Element {
        sequence.asObservable()
            .subscribe(
                with: self,
                onNext: { heard, element in
                    MainActor.assumeIsolated { heard.elements.append(element) }
                }
            )
            .disposed(by: bag)
    }
}
