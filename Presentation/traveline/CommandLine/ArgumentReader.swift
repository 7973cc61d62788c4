import TravelDomain
import TravelPresentation

/// Reads a command line from left to right: options with values, flags, and other words.
///
/// Understands `--name value`, `--name=value`, `-n value`, and `--` before words that begin with a dash.
struct ArgumentReader {
    /// One thing on the command line.
    enum Argument: Equatable {
        case option(String)
        case word(String)
    }

    private var remaining: ArraySlice<String>
    private var inlineValue: String?
    private var onlyWordsFollow = false
    /// The option that was read last.
    private(set) var lastOption = ""

    init(_ arguments: [String]) {
        remaining = arguments[...]
    }

    /// The next option or word; `nil` at the end.
    mutating func next() throws -> Argument? {
        if inlineValue != nil { throw UsageError("\(lastOption) takes no value", "\(lastOption)에는 값을 쓰지 않습니다") }
        guard let argument = remaining.popFirst() else { return nil }
        if onlyWordsFollow || !argument.hasPrefix("-") || argument == "-" { return .word(argument) }
        if argument == "--" {
            onlyWordsFollow = true
            return try next()
        }
        if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
            inlineValue = String(argument[argument.index(after: equals)...])
            lastOption = String(argument[..<equals])
        } else {
            lastOption = argument
        }
        return .option(lastOption)
    }

    /// The value of the option read last.
    mutating func value(_ placeholder: String) throws -> String {
        if let value = inlineValue.take() { return value }
        guard let value = remaining.popFirst(), value != "--" else {
            throw UsageError(
                "\(lastOption) needs a value: \(lastOption) \(placeholder)",
                "\(lastOption)에는 값이 필요합니다: \(lastOption) \(placeholder)")
        }
        return value
    }
}

extension StoreLocation {
    /// The error for a text that names no place. It is not repeated: an address with a mistake may have a password in
    /// it.
    static func unreadable(_ source: String) -> UsageError {
        UsageError(
            "\(source) needs the path of a file, or postgresql://user@host/name",
            "\(source)에는 파일 경로나 postgresql://user@host/name이 필요합니다")
    }
}

/// A type whose cases have identifiers, and names in each language.
typealias NamedCases = LocalizedNameProviding & CaseIterable & Hashable & RawRepresentable<String>

extension ArgumentReader {
    /// The value as one of a type's cases, by its identifier or by its name in any language, in any case.
    mutating func value<Value: NamedCases>(_ kind: String, of type: Value.Type) throws -> Value {
        try Self.parse(try value("NAME"), kind)
    }

    /// The value as one of a type's cases, or `nil` for `none`, which takes a value away.
    mutating func optionalValue<Value: NamedCases>(_ kind: String, of type: Value.Type) throws -> Value? {
        let text = try value("NAME")
        return text == "none" ? nil : try Self.parse(text, kind, besides: ["none"])
    }

    /// The values of an option that may name several, separated by commas.
    mutating func values<Value: NamedCases>(_ kind: String) throws -> Set<Value> {
        Set(try value("NAME").split(separator: ",", omittingEmptySubsequences: false).map { try Self.parse($0, kind) })
    }

    /// The values of an option that may name several; none for `none`, which takes all away.
    mutating func optionalValues<Value: NamedCases>(_ kind: String) throws -> Set<Value> {
        let text = try value("NAME")
        if text == "none" { return [] }
        return Set(
            try text.split(separator: ",", omittingEmptySubsequences: false).map {
                try Self.parse($0, kind, besides: ["none"])
            })
    }

    private static func parse<Value: NamedCases>(
        _ text: some StringProtocol, _ kind: String, besides others: [String] = []
    ) throws -> Value {
        guard let found = Value(named: text) else {
            throw UsageError.unknown(
                kind, koreanKinds[kind] ?? kind, text, choices: Value.allCases.map(\.rawValue) + others)
        }
        return found
    }

    /// The names of the kinds of values in Korean.
    private static let koreanKinds = [
        "region": "지역", "theme": "테마", "companion": "동행", "season": "계절", "period": "기간", "budget": "예산",
        "transportation": "이동 수단",
    ]

    /// The number of travellers; `nil` for `none`, which takes it away.
    mutating func headcount() throws -> Headcount? {
        let text = try value("N")
        if text == "none" { return nil }
        let number = text == "5+" ? 5 : Int(text)
        guard let found = number.flatMap(Headcount.init(rawValue:)) else {
            throw UsageError.unknown("headcount", "인원", text, choices: ["1", "2", "3", "4", "5+"])
        }
        return found
    }

    mutating func sort() throws -> TravelSort {
        switch try value("newest|liked|date") {
        case "newest": .newest
        case "liked": .mostLiked
        case "date": .tripDate
        case let text: throw UsageError.unknown("order", "순서", text, choices: ["newest", "liked", "date"])
        }
    }

    mutating func language() throws -> Language {
        let text = try value("NAME")
        guard let language = Language(rawValue: text) else {
            throw UsageError.unknown("language", "언어", text, choices: Language.allCases.map(\.rawValue))
        }
        return language
    }

    /// A whole number from 1.
    mutating func positiveNumber(_ placeholder: String) throws -> Int {
        let text = try value(placeholder)
        guard let number = Int(text), number > 0 else {
            throw UsageError(
                "\(lastOption) needs a whole number from 1, not '\(text)'",
                "\(lastOption)에는 1 이상의 정수가 필요합니다. '\(text)'은(는) 쓸 수 없습니다")
        }
        return number
    }

    mutating func seed() throws -> UInt64 {
        let text = try value("SEED")
        guard let seed = UInt64(text) else {
            throw UsageError(
                "\(lastOption) needs a whole number from 0 to \(UInt64.max), not '\(text)'",
                "\(lastOption)에는 0부터 \(UInt64.max)까지의 정수가 필요합니다. '\(text)'은(는) 쓸 수 없습니다")
        }
        return seed
    }

    /// The place of a database: a file, or an address of a server.
    mutating func location() throws -> StoreLocation {
        guard let location = StoreLocation(try value("PLACE")) else { throw StoreLocation.unreadable(lastOption) }
        return location
    }

    /// A value of the domain; a violated rule is one of the option.
    mutating func domainValue<Value>(
        _ placeholder: String, _ make: (String) throws(TravelError) -> Value
    ) throws -> Value {
        let text = try value(placeholder)
        do {
            return try make(text)
        } catch {
            throw UsageError(
                "\(lastOption) cannot be '\(text)': \(error)", "\(lastOption)에 '\(text)'을(를) 쓸 수 없습니다: \(error.korean)")
        }
    }

    mutating func title() throws -> Title { try domainValue("TEXT") { text throws(TravelError) in try Title(text) } }

    mutating func day() throws -> CalendarDay {
        try domainValue("DATE") { text throws(TravelError) in try CalendarDay(text) }
    }

    mutating func time() throws -> TimeOfDay {
        try domainValue("TIME") { text throws(TravelError) in try TimeOfDay(text) }
    }

    /// A latitude and a longitude: `35.1587,129.1604`.
    mutating func coordinate() throws -> Coordinate {
        let text = try value("LAT,LON")
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
        else {
            throw UsageError(
                "\(lastOption) needs a latitude and a longitude such as 35.1587,129.1604, not '\(text)'",
                "\(lastOption)에는 35.1587,129.1604처럼 위도와 경도가 필요합니다. '\(text)'은(는) 쓸 수 없습니다")
        }
        return coordinate
    }
}
