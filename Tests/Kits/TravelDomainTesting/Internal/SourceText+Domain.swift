#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import ContractTesting
public import TravelDomain

/// An initializer call with the text of a value as its argument.
private func call<Value>(_ type: Value.Type, _ text: String, isFailable: Bool = false) -> String {
    "\(type)(\(sourceText(text)))\(isFailable ? "!" : "")"
}

extension Identifier: SourceTextConvertible {
    /// `Travel.ID("6f1c…")!`.
    public var sourceText: String { "\(Entity.self).ID(\"\(self)\")!" }
}

extension TravelVersion: SourceTextConvertible {
    /// `TravelVersion(number: 3)!`.
    public var sourceText: String { "TravelVersion(number: \(number))!" }
}

extension Title: SourceTextConvertible {
    /// `Title("바다")`.
    public var sourceText: String { call(Self.self, text) }
}

extension EntryText: SourceTextConvertible {
    /// `EntryText("바다")`.
    public var sourceText: String { call(Self.self, text) }
}

extension Nickname: SourceTextConvertible {
    /// `Nickname("Mina")`.
    public var sourceText: String { call(Self.self, text) }
}

extension Keyword: SourceTextConvertible {
    /// `Keyword("바다")!`.
    public var sourceText: String { call(Self.self, text, isFailable: true) }
}

extension CalendarDay: SourceTextConvertible {
    /// `CalendarDay("2024-03-01")`.
    public var sourceText: String { call(Self.self, description) }
}

extension TimeOfDay: SourceTextConvertible {
    /// `TimeOfDay("09:00")`.
    public var sourceText: String { call(Self.self, description) }
}

extension DayRange: SourceTextConvertible {
    /// `DayRange(CalendarDay("2024-03-01"), through: CalendarDay("2024-03-03"))`.
    public var sourceText: String { "DayRange(\(first.sourceText), through: \(last.sourceText))" }
}

extension TravelImage: SourceTextConvertible {
    /// `TravelImage(id: TravelImage.ID("6f1c…")!, bytes: Data(base64Encoded: "iVBO…")!)`.
    public var sourceText: String {
        "TravelImage(id: \(id.sourceText), bytes: Data(base64Encoded: \"\(bytes.base64EncodedString())\")!)"
    }
}

extension TravelError.Outage: SourceTextConvertible {
    /// `.init("The disk is full.", canRetry: false)`.
    public var sourceText: String {
        let cause = cause == .other ? "" : ", cause: .init(name: \(ContractTesting.sourceText(cause.name)))"
        return ".init(\(ContractTesting.sourceText(reason))\(cause), canRetry: \(canRetry))"
    }
}

extension Violation: SourceTextConvertible {
    /// `.init(.track, .empty)`.
    public var sourceText: String {
        ".init(\(ContractTesting.sourceText(field)), \(ContractTesting.sourceText(rule)))"
    }
}

extension Date: SourceTextConvertible {
    /// `Date(timeIntervalSinceReferenceDate: 730944000.5)`, exact to the last bit.
    public var sourceText: String { "Date(timeIntervalSinceReferenceDate: \(timeIntervalSinceReferenceDate))" }
}
