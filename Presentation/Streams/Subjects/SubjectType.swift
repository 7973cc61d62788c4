/// A type that is both an observable and an observer.
///
/// ```swift
/// let subject = PublishSubject<Int>()
/// _ = subject.subscribe(onNext: { print($0) })
/// _ = Observable.of(1, 2).subscribe(subject.asObserver())    // prints 1 2
/// ```
@preconcurrency
public protocol SubjectType: ObservableType {
    /// The type of the observer side.
    associatedtype Observer: ObserverType

    /// Returns an observer that sends its events to this subject.
    func asObserver() -> Observer
}
