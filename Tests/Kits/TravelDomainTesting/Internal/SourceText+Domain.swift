public import ContractTesting
public import TravelDomain

/// An initializer call with the text of a value as its argument.
private func call<Value>(_ type: Value.Type, _ text: String, isFailable: Bool = false) -> String {
    "\(type)(\(sourceText(text)))\(isFailable ? "!" : "")"
}

extension Identifier: SourceTextConvertible {
    public var sourceText: String { "\(Entity.self).ID(\"\(self)\")!" }
}

extension TripVersion: SourceTextConvertible {
    public var sourceText: String { "TripVersion(number: \(number))!" }
}

extension Title: SourceTextConvertible {
    public var sourceText: String { call(Self.self, text) }
}

extension EntryText: SourceTextConvertible {
    public var sourceText: String { call(Self.self, text) }
}

extension Nickname: SourceTextConvertible {
    public var sourceText: String { call(Self.self, text) }
}

extension Keyword: SourceTextConvertible {
    public var sourceText: String { call(Self.self, text, isFailable: true) }
}

extension Audience: SourceTextConvertible {
    public var sourceText: String { key.map { ".byLink(LinkKey(\"\($0.text)\")!)" } ?? ".\(level)" }
}

extension CalendarDay: SourceTextConvertible {
    public var sourceText: String { call(Self.self, description) }
}

extension TimeOfDay: SourceTextConvertible {
    public var sourceText: String { call(Self.self, description) }
}

extension DayRange: SourceTextConvertible {
    public var sourceText: String { "DayRange(\(first.sourceText), through: \(last.sourceText))" }
}

extension TripImage: SourceTextConvertible {
    public var sourceText: String {
        "TripImage(id: \(id.sourceText), bytes: Data(base64Encoded: \"\(bytes.base64EncodedString())\")!)"
    }
}

extension TravelError.Outage: SourceTextConvertible {
    public var sourceText: String {
        let cause = cause == .other ? "" : ", cause: .init(name: \(ContractTesting.sourceText(cause.name)))"
        return ".init(\(ContractTesting.sourceText(reason))\(cause), canRetry: \(canRetry))"
    }
}

extension Violation: SourceTextConvertible {
    public var sourceText: String {
        ".init(\(ContractTesting.sourceText(field)), \(ContractTesting.sourceText(rule)))"
    }
}

extension Date: SourceTextConvertible {
    public var sourceText: String { "Date(timeIntervalSinceReferenceDate: \(timeIntervalSinceReferenceDate))" }
}
