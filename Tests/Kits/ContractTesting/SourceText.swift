/// A value with a custom source code form, for types whose stored properties do not show it.
///
/// ```swift
/// extension CalendarDay: SourceTextConvertible {
///     public var sourceText: String { "CalendarDay(\"\(self)\")" }
/// }
/// ```
public protocol SourceTextConvertible {
    /// The expression that creates the value, without `try`.
    var sourceText: String { get }
}

/// The source code of a value, to copy from a message into a test.
///
/// A structure is written as a call of its initializer with all stored properties; a ``SourceTextConvertible`` value
/// provides its own form.
///
/// ```swift
/// sourceText([1, 2])                   // "[1, 2]"
/// sourceText("a\nb")                   // "\"a\\nb\""
/// sourceText(Optional<Int>.none)       // "nil"
/// ```
public func sourceText(_ value: Any) -> String {
    switch value {
    case let value as any SourceTextConvertible: return value.sourceText
    case let text as String: return literal(text)
    case let character as Character: return literal(String(character))
    case let number as any BinaryInteger: return "\(number)"
    case let number as any BinaryFloatingPoint: return "\(number)"
    case let flag as Bool: return "\(flag)"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.map(\.value)
    switch mirror.displayStyle {
    case .optional: return parts.first.map { sourceText($0) } ?? "nil"
    case .collection: return "[\(parts.map { sourceText($0) }.joined(separator: ", "))]"
    case .set: return "[\(parts.map { sourceText($0) }.sorted().joined(separator: ", "))]"
    case .dictionary:
        let pairs = parts.map { Mirror(reflecting: $0).children.map { sourceText($0.value) }.joined(separator: ": ") }
        return pairs.isEmpty ? "[:]" : "[\(pairs.sorted().joined(separator: ", "))]"
    case .tuple: return "(\(arguments(mirror.children)))"
    case .enum:
        guard let payload = mirror.children.first else { return ".\(caseName(value))" }
        let parts = Mirror(reflecting: payload.value)
        let list = parts.displayStyle == .tuple ? arguments(parts.children) : sourceText(payload.value)
        return ".\(payload.label ?? "")(\(list))"
    case .struct, .class: return "\(type(of: value))(\(arguments(mirror.children)))"
    default: return mirror.children.isEmpty ? "\(value)" : "\(type(of: value))(\(arguments(mirror.children)))"
    }
}

private func arguments(_ children: Mirror.Children) -> String {
    children.map { child in
        guard let label = child.label, !label.hasPrefix(".") else { return sourceText(child.value) }
        return "\(label): \(sourceText(child.value))"
    }.joined(separator: ", ")
}

/// The name of a case without a payload, regardless of the type's description.
private func caseName(_ value: Any) -> String {
    var name = ""
    dump(value, to: &name)
    return String(name.dropFirst(2).split(separator: "\n").first?.split(separator: ".").last ?? "")
}

/// A string literal; invisible and ambiguous characters are written as scalar escapes.
private func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": literal += "\\\(scalar)"
        case "\n": literal += "\\n"
        case "\t": literal += "\\t"
        default:
            let isVisible =
                switch scalar.properties.generalCategory {
                case .control, .format, .nonspacingMark, .enclosingMark, .spacingMark, .lineSeparator,
                    .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                    false
                // Jamo: a decomposed syllable looks like the composed one.
                default: !(0x1100...0x11FF).contains(scalar.value) && scalar.properties.isWhitespace == (scalar == " ")
                }
            literal += isVisible ? "\(scalar)" : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }
    return literal + "\""
}
