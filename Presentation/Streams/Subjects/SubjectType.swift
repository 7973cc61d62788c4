/// Something that is both heard and told: an observable and an observer of the same elements.
@preconcurrency
public protocol SubjectType: ObservableType {
    /// The type of the observer side.
    associatedtype Observer: ObserverType

    /// The observer side alone.
    func asObserver() -> Observer
}
