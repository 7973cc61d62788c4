/// ``Observable`` by a name that is free where another module has an `Observable` of its own, such as `Observation`.
///
/// ```swift
/// import Observation
/// import Streams
///
/// let numbers: RxObservable<Int> = .of(1, 2)
/// ```
public typealias RxObservable<Element: Sendable> = Observable<Element>
