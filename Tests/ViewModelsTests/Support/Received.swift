import Streams

/// The elements of a driver or signal, from its creation to its release.
@MainActor
final class Received<Element: Sendable> {
    private(set) var elements: [Element] = []
    private let bag = DisposeBag()

    init<Sequence: SharedSequenceConvertibleType>(_ sequence: Sequence) where Sequence.Element == Element {
        sequence.asObservable()
            .subscribe(
                with: self,
                onNext: { received, element in
                    MainActor.assumeIsolated { received.elements.append(element) }
                }
            )
            .disposed(by: bag)
    }
}
