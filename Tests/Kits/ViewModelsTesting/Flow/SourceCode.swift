#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import ViewModels

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
        if let value = value as? any WithPublicInitializer { return value.initializerCall }
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

    /// The closure with those assignments: `{ $0.text = "Jeju" }`; `nil` if there are none.
    static func closure<State>(from old: State, to new: State) -> String? {
        let statements = assignments(from: old, to: new)
        if statements.isEmpty { return nil }
        // A closure with comments only must ignore its argument.
        let isEmpty = statements.allSatisfy { $0.hasPrefix("/*") }
        return "{ \(isEmpty ? "_ in " : "")\(statements.joined(separator: "; ")) }"
    }

    /// A pattern that matches a value of an enumeration, regardless of its payload: `.arrived`.
    static func casePattern(_ value: Any) -> String? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum else { return nil }
        if let label = mirror.children.first?.label { return ".\(label)" }
        return value is any CustomStringConvertible ? nil : ".\(value)"
    }

    /// A closure that matches a value by its case, or any value.
    static func condition(_ value: Any) -> String {
        casePattern(value).map { "{ if case \($0) = $0 { true } else { false } }" } ?? "{ _ in true }"
    }

    /// The name of a type without its module and without the marker of a private context.
    static func name(of type: Any.Type) -> String {
        String(reflecting: type)
            .replacing(/\(unknown context at \$\w+\)\./, with: "")
            .replacing(/([A-Za-z_]\w*\.)((?:[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*)/) { String($0.output.2) }
    }

    // MARK: Parts

    /// The modules whose initializers are not those that a mirror suggests.
    private static let foreignModules = [
        "Swift.", "Foundation", "Dispatch.", "Streams.", "ViewModels.", "Composition.",
    ]

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
        let isForeign = foreignModules.contains { String(reflecting: type).hasPrefix($0) }
        if isForeign || value is any CustomReflectable { return nil }
        return arguments(children).map { "\(name(of: type))(\($0))" }
    }

    /// The assignments that change `old`, at that path, to `new`.
    ///
    /// - Parameter isOptional: Whether the path leads to an optional that contains the values.
    fileprivate static func assignments(
        _ old: Any, _ new: Any, _ path: String, isOptional: Bool = false
    ) -> [String] {
        if areEqual(old, new) == true { return [] }
        let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
        if before.displayStyle == .optional, after.displayStyle == .optional,
            let old = before.children.first?.value, let new = after.children.first?.value
        {
            return assignments(old, new, path, isOptional: true)
        }
        let whole = expression(new).map { ["\(path) = \($0)"] }
        let inside = isOptional ? "\(path)?" : path
        if let new = new as? any ChangedByMethods { return [new.call(from: old, inside)] }
        if let new = new as? any PartlyAssignable {
            // The parts, unless the whole is shorter, as for rows that have nothing in common.
            guard let parts = new.assignments(from: old, inside), !parts.isEmpty else { return whole ?? [] }
            return [parts, whole ?? parts].min { $0.joined().count < $1.joined().count } ?? []
        }
        let isOpen =
            after.displayStyle == .struct && before.subjectType == after.subjectType
            && !(new is any CustomReflectable) && literal(new) == nil
        guard isOpen, !after.children.isEmpty else { return whole ?? [] }
        return zip(before.children, after.children).flatMap { old, new -> [String] in
            guard let label = new.label, !label.hasPrefix("$") else { return [] }
            let name = label.hasPrefix("_") ? String(label.dropFirst()) : label
            return assignments(old.value, new.value, "\(inside).\(name)")
        }
    }

    /// Whether the values are equal; `nil` if their type is not `Equatable`.
    fileprivate static func areEqual(_ old: Any, _ new: Any) -> Bool? {
        func isEqual<Value: Equatable>(_ value: Value) -> Bool {
            (new as? Value).map { Difference.areSame(value, $0) } ?? false
        }
        return (old as? any Equatable).map { isEqual($0) }
    }
}

/// A collection of which a part can be changed.
private protocol PartlyAssignable {
    /// The statements that change `old`, at that path, to this value; `nil` if there are none but to assign the whole.
    func assignments(from old: Any, _ path: String) -> [String]?
}

extension IdentifiedRows: PartlyAssignable {
    /// In this order: the removed rows, the changed ones, the new ones, and at most one that moved.
    func assignments(from old: Any, _ path: String) -> [String]? {
        guard let old = old as? Self else { return nil }
        var (rows, statements) = (old, [String]())
        for row in old {
            guard let id = SourceCode.expression(row.id) else { return nil }
            if let new = self[id: row.id] {
                let changes = SourceCode.assignments(row, new, "\(path)[id: \(id)]", isOptional: true)
                if changes.isEmpty, SourceCode.areEqual(row, new) == false { return nil }
                statements += changes
            } else {
                rows.remove(id: row.id)
                statements.insert("\(path).remove(id: \(id))", at: old.count - rows.count - 1)
            }
        }
        for (index, row) in enumerated() where !rows.contains(id: row.id) {
            guard let code = SourceCode.expression(row) else { return nil }
            statements.append(
                index < rows.count ? "\(path).insert(\(code), at: \(index))" : "\(path).append(\(code))")
            rows.insert(row, at: Swift.min(index, rows.count))
        }
        guard let first = indices.first(where: { rows[$0].id != self[$0].id }) else { return statements }
        // Either the row that is now here came from behind, or the one that was here went there.
        for id in [rows[first].id, self[first].id] {
            guard let target = index(id: id), let code = SourceCode.expression(id) else { return nil }
            var moved = rows
            moved.move(id: id, to: target)
            if moved.ids == ids { return statements + ["\(path).move(id: \(code), to: \(target))"] }
        }
        return nil
    }
}

extension Array: PartlyAssignable {
    /// For changed elements, one that was removed, or one that was added.
    func assignments(from old: Any, _ path: String) -> [String]? {
        guard let old = old as? Self else { return nil }
        if count == old.count {
            let changes = indices.map { SourceCode.assignments(old[$0], self[$0], "\(path)[\($0)]") }
            let isComplete = indices.allSatisfy {
                !changes[$0].isEmpty || SourceCode.areEqual(old[$0], self[$0]) == true
            }
            return isComplete ? changes.flatMap { $0 } : nil
        }
        let (shorter, longer) = count < old.count ? (self, old) : (old, self)
        guard longer.count == shorter.count + 1 else { return nil }
        let place = shorter.indices.first { SourceCode.areEqual(shorter[$0], longer[$0]) != true } ?? shorter.count
        let rest = place..<shorter.count
        guard rest.allSatisfy({ SourceCode.areEqual(shorter[$0], longer[$0 + 1]) == true }) else { return nil }
        if count < old.count { return ["\(path).remove(at: \(place))"] }
        return SourceCode.expression(self[place]).map { code in
            [place == old.count ? "\(path).append(\(code))" : "\(path).insert(\(code), at: \(place))"]
        }
    }
}

extension Dictionary: PartlyAssignable {
    func assignments(from old: Any, _ path: String) -> [String]? {
        guard let old = old as? Self else { return nil }
        var statements: [(key: String, code: [String])] = []
        for key in Set(old.keys).union(keys) {
            guard let code = SourceCode.expression(key) else { return nil }
            let place = "\(path)[\(code)]"
            switch (old[key], self[key]) {
            case (let before?, let after?):
                let changes = SourceCode.assignments(before, after, place, isOptional: true)
                if changes.isEmpty, SourceCode.areEqual(before, after) != true { return nil }
                statements.append((code, changes))
            case (nil, let after?):
                guard let value = SourceCode.expression(after) else { return nil }
                statements.append((code, ["\(place) = \(value)"]))
            default: statements.append((code, ["\(place) = nil"]))
            }
        }
        return statements.sorted { $0.key < $1.key }.flatMap(\.code)
    }
}

/// A type whose initializer is not the one that its mirror suggests.
private protocol WithPublicInitializer {
    /// A call of its initializer with this value; `nil` if it has none.
    var initializerCall: String? { get }
}

extension PagedList: WithPublicInitializer {
    var initializerCall: String? {
        guard let items = SourceCode.expression(items), let phase = SourceCode.expression(phase) else { return nil }
        return "\(SourceCode.name(of: Self.self))(\(items), phase: \(phase), hasMore: \(hasMore))"
    }
}

extension CursorPage: WithPublicInitializer {
    var initializerCall: String? {
        guard let items = SourceCode.expression(items), let next = SourceCode.expression(next as Any) else {
            return nil
        }
        return "\(SourceCode.name(of: Self.self))(\(items), next: \(next))"
    }
}

extension FormFieldState: WithPublicInitializer {
    var initializerCall: String? {
        guard let value = SourceCode.expression(value), let validity = SourceCode.expression(validity) else {
            return nil
        }
        return "\(SourceCode.name(of: Self.self))(\(value), \(validity), isTouched: \(isTouched))"
    }
}

/// A type whose properties cannot be set, and that its methods change.
private protocol ChangedByMethods {
    /// The statement that changes `old`, at that path, to this value; a comment if its arguments are unknown.
    func call(from old: Any, _ path: String) -> String
}

extension Paging: ChangedByMethods {
    func call(from old: Any, _ path: String) -> String {
        func leadsHere(_ change: (inout Self) -> Void) -> Bool {
            guard var list = old as? Self else { return false }
            change(&list)
            return SourceCode.areEqual(list, self) == true
        }
        if leadsHere({ _ = $0.reachEnd() }) { return "_ = \(path).reachEnd()" }
        if leadsHere({ _ = $0.refresh() }) { return "_ = \(path).refresh()" }
        if leadsHere({ _ = $0.retry() }) { return "_ = \(path).retry()" }
        if let query, let code = SourceCode.expression(query), leadsHere({ _ = $0.show(query) }) {
            return "_ = \(path).show(\(code))"
        }
        return "/* \(path) changes by a method of Paging: call the one that the flow calls */"
    }
}
