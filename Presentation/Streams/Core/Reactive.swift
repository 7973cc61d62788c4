public import Foundation

/// Where the streams and binders of a type live: `label.rx.text`.
///
/// Extend it for your own types; every writable property of a class is there as a ``Binder`` already.
///
/// ```swift
/// extension Reactive where Base: Player {
///     var position: Observable<Double> { … }
/// }
/// player.rx.position.bind(to: slider.rx.value)    // `value` is a property of the slider
/// ```
@dynamicMemberLookup
public struct Reactive<Base> {
    /// What it is about.
    public let base: Base

    /// The streams and binders of `base`.
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

/// `@unchecked Sendable`: a key path is immutable; this one was formed where the property may be named, and is
/// applied on the main thread.
private struct WritablePath<Base, Property>: @unchecked Sendable {
    let keyPath: ReferenceWritableKeyPath<Base, Property>
}

/// Something that has ``rx``.
public protocol ReactiveCompatible {
    /// What its streams and binders are about.
    associatedtype ReactiveBase

    /// The streams of the type.
    static var rx: Reactive<ReactiveBase>.Type { get set }
    /// The streams and binders of the value.
    var rx: Reactive<ReactiveBase> { get set }
}

extension ReactiveCompatible {
    /// The streams of the type.
    public static var rx: Reactive<Self>.Type {
        get { Reactive<Self>.self }
        // Settable so that what is found there may be assigned to; there is nothing to store.
        set {}
    }

    /// The streams and binders of the value.
    public var rx: Reactive<Self> {
        get { Reactive(self) }
        // Settable so that what is found there may be assigned to; there is nothing to store.
        set {}
    }
}

extension NSObject: ReactiveCompatible {}
