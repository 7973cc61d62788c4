/// The differences between two values of a type, part by part.
package struct Difference: Sendable {
    /// One difference.
    package struct Part: Sendable {
        /// The path of the part, such as `rows[2].title`; empty for the whole value.
        package let path: String
        /// The part in the first value; `nil` if it has none.
        package let before: String?
        /// The part in the second value; `nil` if it has none.
        package let after: String?
    }

    /// The differences in the order of declaration; empty if the values are equal.
    package let parts: [Part]

    package init<Value>(_ before: Value, _ after: Value) {
        parts = Self.compare(before, after, at: "")
    }

    /// One line for each difference: `isLoading: false → true`.
    package var lines: [String] {
        parts.map { part in
            let change = "\(part.before ?? "nothing") → \(part.after ?? "nothing")"
            return part.path.isEmpty ? change : "\(part.path): \(change)"
        }
    }

    /// A value as text for one line.
    package static func describe(_ value: Any) -> String {
        guard let value = unwrapped(value) else { return "nil" }
        return value is any StringProtocol ? String(reflecting: value) : String(describing: value)
    }

    private static func compare(_ before: Any, _ after: Any, at path: String) -> [Part] {
        let areEqual = areEqual(before, after)
        if areEqual == true { return [] }
        let parts = comparedParts(before, after, at: path)
        if let parts, !parts.isEmpty { return parts }
        let whole = Part(path: path, before: describe(before), after: describe(after))
        // A value that is not equal to itself contains one that is not a number: compared like one that is not `Equatable`.
        let isComparable = Self.areEqual(before, before) == true || Self.areEqual(after, after) == true
        if areEqual == false, isComparable { return [whole] }
        // Values that are not `Equatable` count as equal if all their parts are, or if their descriptions are.
        return parts == nil && whole.before != whole.after ? [whole] : []
    }

    /// The differences between the parts of two values; `nil` if the values do not have the same parts.
    private static func comparedParts(_ before: Any, _ after: Any, at path: String) -> [Part]? {
        guard let before = unwrapped(before), let after = unwrapped(after) else { return nil }
        let (lhs, rhs) = (Mirror(reflecting: before), Mirror(reflecting: after))
        guard lhs.subjectType == rhs.subjectType, lhs.displayStyle == rhs.displayStyle else { return nil }
        switch lhs.displayStyle {
        case .struct, .tuple:
            return zip(lhs.children, rhs.children).flatMap { lhs, rhs in
                compare(lhs.value, rhs.value, at: path.appending(part: lhs.label ?? ""))
            }
        case .enum:
            guard let lhs = lhs.children.first, let rhs = rhs.children.first, lhs.label == rhs.label else { return nil }
            return compare(lhs.value, rhs.value, at: path.appending(part: lhs.label ?? ""))
        case .collection:
            return comparedElements(lhs.children.map(\.value), rhs.children.map(\.value), at: path)
        case .dictionary: return comparedEntries(entries(lhs), entries(rhs), at: path)
        default: return nil
        }
    }

    private static func comparedElements(_ lhs: [Any], _ rhs: [Any], at path: String) -> [Part] {
        if lhs.count == rhs.count {
            return lhs.indices.flatMap { compare(lhs[$0], rhs[$0], at: "\(path)[\($0)]") }
        }
        let shorter = min(lhs.count, rhs.count)
        let head = (0..<shorter).first { !compare(lhs[$0], rhs[$0], at: "").isEmpty } ?? shorter
        let tail =
            (0..<(shorter - head)).first { index in
                !compare(lhs[lhs.count - 1 - index], rhs[rhs.count - 1 - index], at: "").isEmpty
            } ?? shorter - head
        return (head..<(lhs.count - tail)).map { Part(path: "\(path)[\($0)]", before: describe(lhs[$0]), after: nil) }
            + (head..<(rhs.count - tail)).map { Part(path: "\(path)[\($0)]", before: nil, after: describe(rhs[$0])) }
    }

    private static func comparedEntries(_ lhs: [String: Any], _ rhs: [String: Any], at path: String) -> [Part] {
        Set(lhs.keys).union(rhs.keys).sorted().flatMap { key -> [Part] in
            let path = "\(path)[\(key)]"
            guard let before = lhs[key], let after = rhs[key] else {
                return [Part(path: path, before: lhs[key].map(describe), after: rhs[key].map(describe))]
            }
            return compare(before, after, at: path)
        }
    }

    private static func entries(_ mirror: Mirror) -> [String: Any] {
        let pairs = mirror.children.compactMap { child -> (String, Any)? in
            let pair = Mirror(reflecting: child.value).children.map(\.value)
            return pair.count == 2 ? (describe(pair[0]), pair[1]) : nil
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Whether two values are equal, except that what is not a number equals itself: `Double.nan == Double.nan` is false.
    package static func areSame<Value: Equatable>(_ lhs: Value, _ rhs: Value) -> Bool {
        lhs == rhs || lhs != lhs && rhs != rhs && Difference(lhs, rhs).parts.isEmpty
    }

    /// Whether the values are equal; `nil` if their type is not `Equatable`.
    private static func areEqual(_ lhs: Any, _ rhs: Any) -> Bool? {
        func isEqual<Value: Equatable>(_ value: Value) -> Bool { value == rhs as? Value }
        return (lhs as? any Equatable).map { isEqual($0) }
    }

    /// The value inside any number of optionals; `nil` if there is none.
    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }
}

extension String {
    /// Appends the name of a part to the path; the storage of a property wrapper has the name of its property.
    fileprivate func appending(part: String) -> String {
        if part.isEmpty { return self }
        let name = part.hasPrefix("_") ? String(part.dropFirst()) : part
        return isEmpty ? name : "\(self).\(name)"
    }
}
