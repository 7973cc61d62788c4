#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values as source code, for the suggestions of a failure.
enum SourceCode {
    /// An expression with this value; `nil` if none is known, as for objects and functions.
    static func expression(_ value: Any) -> String? {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            guard let wrapped = mirror.children.first else { return "nil" }
            return expression(wrapped.value)
        }
        if let literal = literal(value) { return literal }
        let values = mirror.children.map(\.value)
        switch mirror.displayStyle {
        case .collection: return expressions(values).map { "[\($0.joined(separator: ", "))]" }
        case .set: return expressions(values).map { "[\($0.sorted().joined(separator: ", "))]" }
        case .dictionary: return dictionary(values)
        case .tuple: return arguments(mirror.children).map { "(\($0))" }
        case .enum: return enumCase(value, mirror)
        case .struct: return structure(value, mirror)
        default: return nil
        }
    }

    /// The assignments that change another state to `state`: `$0.text = "Jeju"`.
    static func assignments<State>(from old: State, to new: State) -> [String] {
        assignments(old, new, "$0")
    }

    /// A pattern that matches a value of an enumeration, regardless of its payload: `.arrived`.
    static func casePattern(_ value: Any) -> String? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum else { return nil }
        if let label = mirror.children.first?.label { return ".\(label)" }
        return value is any CustomStringConvertible ? nil : ".\(value)"
    }

    /// The name of a type without its module and without the marker of a private context.
    static func name(of type: Any.Type) -> String {
        String(reflecting: type)
            .replacing(/\(unknown context at \$\w+\)\./, with: "")
            .replacing(/([A-Za-z_]\w*\.)((?:[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*)/) { String($0.output.2) }
    }

    // MARK: Parts

    private static func literal(_ value: Any) -> String? {
        switch value {
        case let text as any StringProtocol: String(text).debugDescription
        case let character as Character: String(character).debugDescription
        case let flag as Bool: "\(flag)"
        case let number as any BinaryInteger: "\(number)"
        case let number as Double: floatingPoint(number)
        case let number as Float: floatingPoint(Double(number))
        case let date as Date:
            floatingPoint(date.timeIntervalSinceReferenceDate).map { "Date(timeIntervalSinceReferenceDate: \($0))" }
        case let id as UUID: "UUID(uuidString: \"\(id)\")!"
        case let url as URL: "URL(string: \(url.absoluteString.debugDescription))!"
        case let range as Range<Int>: "\(range.lowerBound)..<\(range.upperBound)"
        case let range as ClosedRange<Int>: "\(range.lowerBound)...\(range.upperBound)"
        case is Void: "()"
        default: nil
        }
    }

    private static func floatingPoint(_ number: Double) -> String? {
        if number.isNaN { return ".nan" }
        if number.isInfinite { return number < 0 ? "-.infinity" : ".infinity" }
        return "\(number)"
    }

    private static func expressions(_ values: [Any]) -> [String]? {
        let expressions = values.compactMap(expression)
        return expressions.count == values.count ? expressions : nil
    }

    private static func dictionary(_ pairs: [Any]) -> String? {
        if pairs.isEmpty { return "[:]" }
        let entries = pairs.compactMap { pair -> String? in
            let parts = Mirror(reflecting: pair).children.map(\.value)
            guard parts.count == 2, let key = expression(parts[0]), let value = expression(parts[1]) else { return nil }
            return "\(key): \(value)"
        }
        return entries.count == pairs.count ? "[\(entries.sorted().joined(separator: ", "))]" : nil
    }

    /// `1, name: "a"`
    private static func arguments(_ children: Mirror.Children) -> String? {
        let arguments = children.compactMap { child -> String? in
            guard let value = expression(child.value) else { return nil }
            guard let label = child.label, !label.hasPrefix(".") else { return value }
            if label.hasPrefix("$") { return nil }
            return "\(label.hasPrefix("_") ? String(label.dropFirst()) : label): \(value)"
        }
        return arguments.count == children.count ? arguments.joined(separator: ", ") : nil
    }

    private static func enumCase(_ value: Any, _ mirror: Mirror) -> String? {
        guard let payload = mirror.children.first else { return casePattern(value) }
        guard let name = payload.label else { return nil }
        let inner = Mirror(reflecting: payload.value)
        let arguments =
            inner.displayStyle == .tuple ? arguments(inner.children) : expression(payload.value)
        return arguments.map { ".\(name)(\($0))" }
    }

    private static func structure(_ value: Any, _ mirror: Mirror) -> String? {
        let type = type(of: value)
        let children = mirror.children
        // A property wrapper whose mirror shows only its value, such as `Pulse`.
        if children.count == 1, let only = children.first, only.label == nil { return expression(only.value) }
        let isForeign = ["Swift.", "Foundation", "Dispatch."].contains { String(reflecting: type).hasPrefix($0) }
        if isForeign || value is any CustomReflectable { return nil }
        return arguments(children).map { "\(name(of: type))(\($0))" }
    }

    private static func assignments(_ old: Any, _ new: Any, _ path: String) -> [String] {
        func isEqual<Value: Equatable>(_ value: Value) -> Bool { value == new as? Value }
        if let old = old as? any Equatable, isEqual(old) { return [] }
        let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
        let isOpen =
            after.displayStyle == .struct && before.subjectType == after.subjectType
            && !(new is any CustomReflectable) && literal(new) == nil
        if isOpen, !after.children.isEmpty {
            return zip(before.children, after.children).flatMap { old, new -> [String] in
                guard let label = new.label, !label.hasPrefix("$") else { return [] }
                let name = label.hasPrefix("_") ? String(label.dropFirst()) : label
                return assignments(old.value, new.value, "\(path).\(name)")
            }
        }
        return expression(new).map { ["\(path) = \($0)"] } ?? []
    }
}
