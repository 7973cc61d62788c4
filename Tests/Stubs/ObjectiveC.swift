// The declarations of the Objective-C runtime that UIKit and the library use, and those that the compiler looks for. With
// the option `-enable-objc-interop`, it type-checks selectors, and protocols with optional methods, on every platform.

/// `@unchecked Sendable`: the pointer is the identity of a name.
public struct Selector: ExpressibleByStringLiteral, Hashable, @unchecked Sendable {
    private let pointer: OpaquePointer
    public init(stringLiteral value: String) { fatalError() }
}

public struct ObjCBool: Sendable {}

public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { fatalError() }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { fatalError() }

@objc public protocol NSObjectProtocol {
    func responds(to aSelector: Selector!) -> Bool
}

@objc open class NSObject: NSObjectProtocol {
    public init() {}
    open func responds(to aSelector: Selector!) -> Bool { fatalError() }
    open func forwardingTarget(for aSelector: Selector!) -> Any? { fatalError() }
}

public enum objc_AssociationPolicy: UInt, Sendable { case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1 }

public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? { fatalError() }
public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {}
