/// An alias of ``Observable`` for code that imports another module with an `Observable`, such as `Observation`.
///
/// ```swift
/// import Observation
/// import Streams
///
/// let numbers: RxObservable<Int> = .of(1, 2)
/// ```
public typealias RxObservable<Element: Sendable> = Observable<Element>
