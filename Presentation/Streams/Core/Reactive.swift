public import Foundation

/// A namespace for the streams and binders of a type, as in `label.rx.text`.
///
/// Extend it for your own types. Every writable property of a class is already available as a ``Binder``.
///
/// ```swift
/// extension Reactive where Base: Player {
///     var position: Observable<Double> { … }
/// }
/// player.rx.position.bind(to: slider.rx.value)    // `value` is a property of the slider
/// ```
@dynamicMemberLookup
public struct Reactive<Base> {
    public let base: Base

    public init(_ base: Base) { self.base = base }

    /// A binder that writes each element to the property, on the main thread.
    @preconcurrency
    public subscript<Property: Sendable>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Base, Property>
    ) -> Binder<Property> where Base: AnyObject & Sendable {
        let path = WritablePath(keyPath: keyPath)
        return Binder(base) { base, value in base[keyPath: path.keyPath] = value }
    }
}

extension Reactive: Sendable where Base: Sendable {}

/// `@unchecked Sendable`: a key path is immutable; this one was created where the property is accessible, and is
/// applied on the main thread.
private struct WritablePath<Base, Property>: @unchecked Sendable {
    let keyPath: ReferenceWritableKeyPath<Base, Property>
}

/// A type with an `rx` namespace.
///
/// ```swift
/// final class Player: ReactiveCompatible, Sendable { … }
/// extension Reactive where Base == Player {
///     var position: Observable<Double> { … }
/// }
/// player.rx.position    // every `NSObject` has the namespace already
/// ```
public protocol ReactiveCompatible {
    associatedtype ReactiveBase

    static var rx: Reactive<ReactiveBase>.Type { get set }
    var rx: Reactive<ReactiveBase> { get set }
}

extension ReactiveCompatible {
    public static var rx: Reactive<Self>.Type {
        get { Reactive<Self>.self }
        // Settable so that members of the namespace can be assigned; there is nothing to store.
        set {}
    }

    public var rx: Reactive<Self> {
        get { Reactive(self) }
        // Settable so that members of the namespace can be assigned; there is nothing to store.
        set {}
    }
}

extension NSObject: ReactiveCompatible {}
