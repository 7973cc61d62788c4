/// A type that is both an observable and an observer.
@preconcurrency
public protocol SubjectType: ObservableType {
    /// The type of the observer side.
    associatedtype Observer: ObserverType

    /// Returns this subject as an observer.
    func asObserver() -> Observer
}
