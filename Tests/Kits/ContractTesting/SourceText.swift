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

/// The differences between two values, line by line; equal parts are omitted.
///
/// ```swift
/// valueDifference(of: page, from: expected)
/// // trips[3].likeCount: expected 2, got 3
/// // trips[7] is missing: Trip(id: …)
/// ```
///
/// - Parameters:
///   - actual: The value to describe.
///   - expected: The value to compare it with.
///   - limit: The maximum number of lines; the last line then counts the omitted differences.
public func valueDifference(of actual: Any, from expected: Any, limit: Int = 20) -> [String] {
    var lines: [String] = []
    collect(actual, expected, "", &lines)
    if lines.isEmpty { lines.append("expected \(shortened(expected)), got \(shortened(actual))") }
    guard lines.count > limit else { return lines }
    return lines.prefix(limit - 1) + ["and \(lines.count - limit + 1) more differences"]
}

/// The expected and the actual value, after `what`: on one line, or, for values with several parts, with one line for
/// each difference.
func mismatch(_ what: String, _ actual: Any, expected: Any) -> String {
    let lines = valueDifference(of: actual, from: expected)
    if lines.count == 1, lines[0].hasPrefix("expected ") { return "\(what): \(lines[0])" }
    return "\(what) differs from the expected value:\n" + lines.map { "    \($0)" }.joined(separator: "\n")
}

private func collect(_ actual: Any, _ expected: Any, _ path: String, _ lines: inout [String]) {
    let texts = (sourceText(actual), sourceText(expected))
    if texts.0.utf8.elementsEqual(texts.1.utf8) { return }
    let (a, b) = (Mirror(reflecting: actual), Mirror(reflecting: expected))
    let isLeaf = actual is any SourceTextConvertible || actual is String || type(of: actual) != type(of: expected)
    switch a.displayStyle {
    case _ where isLeaf: break
    case .struct, .tuple, .class:
        guard a.children.count == b.children.count, !a.children.isEmpty else { break }
        for (part, other) in zip(a.children, b.children) {
            collect(part.value, other.value, path.isEmpty ? part.label ?? "" : "\(path).\(part.label ?? "")", &lines)
        }
        return
    case .optional:
        guard let part = a.children.first, let other = b.children.first else { break }
        return collect(part.value, other.value, path, &lines)
    case .enum:
        guard let part = a.children.first, let other = b.children.first, part.label == other.label else { break }
        // The path of a success is that of its value, because most outcomes are successes.
        let name = part.label == "success" ? path : "\(path)\(path.isEmpty ? "" : ".")\(part.label ?? "")"
        return collect(part.value, other.value, name, &lines)
    case .collection: return collectElements(a.children.map(\.value), b.children.map(\.value), path, &lines)
    case .set:
        let (found, wanted) = (
            Set(a.children.map { sourceText($0.value) }), Set(b.children.map { sourceText($0.value) })
        )
        lines += wanted.subtracting(found).sorted().map { "\(prefix(path))missing \(cut($0))" }
        lines += found.subtracting(wanted).sorted().map { "\(prefix(path))unexpected \(cut($0))" }
        return
    default: break
    }
    lines.append("\(prefix(path))expected \(cut(texts.1)), got \(cut(texts.0))")
}

private func collectElements(_ actual: [Any], _ expected: [Any], _ path: String, _ lines: inout [String]) {
    let (found, wanted) = (actual.map { sourceText($0) }, expected.map { sourceText($0) })
    guard found.count != wanted.count else {
        let isReordered = found.sorted() == wanted.sorted()
        if isReordered { lines.append("\(prefix(path))the same elements in another order") }
        for index in found.indices {
            if isReordered, found[index] != wanted[index] {
                lines.append("\(path)[\(index)]: expected \(cut(wanted[index])), got \(cut(found[index]))")
            } else {
                collect(actual[index], expected[index], "\(path)[\(index)]", &lines)
            }
        }
        return
    }
    lines.append("\(prefix(path))expected \(wanted.count) elements, got \(found.count)")
    for change in found.difference(from: wanted) {
        switch change {
        case .remove(let index, let element, _): lines.append("\(path)[\(index)] is missing: \(cut(element))")
        case .insert(let index, let element, _): lines.append("\(path)[\(index)] is unexpected: \(cut(element))")
        }
    }
}

private func prefix(_ path: String) -> String { path.isEmpty ? "" : "\(path): " }

private func shortened(_ value: Any) -> String { cut(sourceText(value)) }

/// As much of a text as fits on a few lines.
private func cut(_ text: String) -> String {
    text.count <= 400 ? text : "\(text.prefix(399))…"
}
