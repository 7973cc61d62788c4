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
    /// The value that the streams and binders belong to.
    public let base: Base

    /// Creates the namespace of `base`, the object whose properties become streams and binders.
    public init(_ base: Base) {
        self.base = base
    }

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
    /// The type that the streams and binders belong to.
    associatedtype ReactiveBase

    /// The namespace for streams of the type.
    static var rx: Reactive<ReactiveBase>.Type { get set }
    /// The namespace for streams and binders of the value.
    var rx: Reactive<ReactiveBase> { get set }
}

extension ReactiveCompatible {
    /// The namespace for streams of the type.
    public static var rx: Reactive<Self>.Type {
        get { Reactive<Self>.self }
        // Settable so that members of the namespace can be assigned; there is nothing to store.
        set {}
    }

    /// The namespace for streams and binders of the value.
    public var rx: Reactive<Self> {
        get { Reactive(self) }
        // Settable so that members of the namespace can be assigned; there is nothing to store.
        set {}
    }
}

extension NSObject: ReactiveCompatible {}
