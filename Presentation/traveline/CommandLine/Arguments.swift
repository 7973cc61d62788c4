import TravelDataFiles
import TravelDomain
import TravelPresentation

/// The words behind the name of a command, and its options with their values.
///
/// Understands `--name value`, `--name=value`, and `--` before words that begin with a dash. An option may be repeated;
/// where one value is wanted, the last one counts.
struct Arguments {
    private var options: [(name: String, value: String)] = []
    private(set) var words: [String] = []

    private static let abbreviations = ["-h": "--help", "-o": "--output", "-y": "--yes"]

    /// Reads a command line that may have these options.
    ///
    /// - Throws: `UsageError` for an option without its value, and for a flag with one; `unknown` for any other option.
    init(_ arguments: [String], options known: [OptionHelp], unknown: (String) -> UsageError) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                return
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            let equals = argument.hasPrefix("--") ? argument.firstIndex(of: "=") : nil
            let written = String(argument[..<(equals ?? argument.endIndex)])
            let name = Self.abbreviations[written] ?? written
            guard let option = known.first(where: { $0.name == name }) else { throw unknown(written) }
            let inline = equals.map { String(argument[argument.index(after: $0)...]) }
            guard let placeholder = option.placeholder else {
                if inline != nil { throw UsageError("\(name) takes no value", "\(name)에는 값을 쓰지 않습니다") }
                options.append((name, ""))
                continue
            }
            guard let value = inline ?? rest.popFirst(), inline != nil || value != "--" else {
                throw UsageError(
                    "\(name) needs a value: \(name) \(placeholder)", "\(name)에는 값이 필요합니다: \(name) \(placeholder)")
            }
            options.append((name, value))
        }
    }

    func has(_ option: String) -> Bool { options.contains { $0.name == option } }

    /// The value of an option; `nil` without it.
    func value(_ option: String) -> String? { options.last { $0.name == option }?.value }

    /// The values of an option that may be repeated.
    func values(_ option: String) -> [String] { values(option) { $0 } }

    /// What `read` makes of each value of an option.
    private func values<Value>(_ option: String, _ read: (String) throws -> Value) rethrows -> [Value] {
        try options.filter { $0.name == option }.map { try read($0.value) }
    }

    /// What `read` makes of the value of an option; `nil` without it.
    func value<Value>(_ option: String, _ read: (String) throws -> Value) rethrows -> Value? {
        try values(option, read).last
    }
}

/// A type whose cases have identifiers, and names in each language.
typealias NamedCases = LocalizedNameProviding & CaseIterable & Hashable & RawRepresentable<String>

extension Arguments {
    /// The value of an option as one of a type's cases, by its identifier or by its name in any language, in any case.
    func choice<Value: NamedCases>(_ option: String) throws -> Value? {
        try value(option) { try Self.choice($0, of: option) }
    }

    /// The same, or `none`, which takes a value away: `nil` without the option, and `.some(nil)` for `none`.
    func choiceOrNone<Value: NamedCases>(_ option: String) throws -> Value?? {
        try value(option) { $0 == "none" ? nil : try Self.choice($0, of: option, besides: ["none"]) }
    }

    /// The values of an option that may name several, separated by commas, and be repeated.
    func choices<Value: NamedCases>(_ option: String) throws -> Set<Value> {
        try values(option) { try Self.choices($0, of: option) }.reduce([]) { $0.union($1) }
    }

    /// The values of an option that may name several; `nil` without it, and none for `none`, which takes all away.
    func choicesOrNone<Value: NamedCases>(_ option: String) throws -> Set<Value>? {
        try value(option) { $0 == "none" ? [] : try Self.choices($0, of: option, besides: ["none"]) }
    }

    private static func choices<Value: NamedCases>(
        _ text: String, of option: String, besides others: [String] = []
    ) throws -> Set<Value> {
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        return Set(try names.map { try choice($0, of: option, besides: others) })
    }

    private static func choice<Value: NamedCases>(
        _ text: some StringProtocol, of option: String, besides others: [String] = []
    ) throws -> Value {
        guard let found = Value(named: text) else {
            let kind = String(option.dropFirst(2))
            let korean = FilterKind(rawValue: kind)?.name(in: .korean) ?? kind
            throw UsageError.unknown(kind, korean, text, choices: Value.allCases.map(\.rawValue) + others)
        }
        return found
    }

    /// The number of travellers: `nil` without the option, and `.some(nil)` for `none`, which takes it away.
    func headcount() throws -> Headcount?? {
        try value("--headcount") { text in
            if text == "none" { return nil }
            let number = text == "5+" ? 5 : Int(text)
            guard let found = number.flatMap(Headcount.init(rawValue:)) else {
                throw UsageError.unknown(
                    "headcount", FilterKind.headcount.name(in: .korean), text, choices: ["1", "2", "3", "4", "5+"])
            }
            return found
        }
    }

    func sort() throws -> TripSort? {
        try value("--sort") { text in
            switch text {
            case "newest": .newest
            case "liked": .mostLiked
            case "date": .tripDate
            default: throw UsageError.unknown("order", "순서", text, choices: ["newest", "liked", "date"])
            }
        }
    }

    /// The value of an option as the identifier of a case.
    func identifier<Value: RawRepresentable<String> & CaseIterable>(
        _ option: String, _ kind: String, _ korean: String
    ) throws -> Value? {
        try value(option) { text in
            guard let value = Value(rawValue: text.lowercased()) else {
                throw UsageError.unknown(kind, korean, text, choices: Value.allCases.map(\.rawValue))
            }
            return value
        }
    }

    func language() throws -> Language? { try identifier("--lang", "language", "언어") }

    func importFormat() throws -> TravelFileReader.Format? { try identifier("--format", "format", "형식") }
    func format() throws -> ExportFormat? { try identifier("--format", "format", "형식") }

    /// A whole number from 1.
    func positiveNumber(_ option: String) throws -> Int? {
        try value(option) { text in
            guard let number = Int(text), number > 0 else {
                throw UsageError(
                    "\(option) needs a whole number from 1, not '\(text)'",
                    "\(option)에는 1 이상의 정수가 필요합니다. '\(text)'은(는) 쓸 수 없습니다")
            }
            return number
        }
    }

    /// An ID, or its first characters.
    func identification(_ option: String) throws -> Identification? { try value(option, Identification.init) }

    /// The place of a database: a file, or an address of a server.
    func location(_ option: String) throws -> StoreLocation? {
        try value(option) { text in
            guard let location = StoreLocation(text) else { throw StoreLocation.unreadable(option) }
            return location
        }
    }

    /// A value of the domain; a violated rule is one of the option.
    private func domainValue<Value>(
        _ option: String, _ make: (String) throws(TravelError) -> Value
    ) throws -> Value? {
        try value(option) { text in
            do throws(TravelError) {
                return try make(text)
            } catch {
                throw UsageError(
                    "\(option) cannot be '\(text)': \(error)", "\(option)에 '\(text)'을(를) 쓸 수 없습니다: \(error.text.korean)"
                )
            }
        }
    }

    func title() throws -> Title? { try domainValue("--title", Title.init) }

    func day(_ option: String) throws -> CalendarDay? { try domainValue(option, CalendarDay.init) }

    func time() throws -> TimeOfDay? { try domainValue("--time", TimeOfDay.init) }

    /// A latitude and a longitude: `35.1587,129.1604`.
    func coordinate() throws -> Coordinate? {
        try value("--at") { try Self.coordinate($0, of: "--at") }
    }

    static func coordinate(_ text: String, of option: String) throws -> Coordinate {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
        else {
            throw UsageError(
                "\(option) needs a latitude and a longitude such as 35.1587,129.1604, not '\(text)'",
                "\(option)에는 35.1587,129.1604처럼 위도와 경도가 필요합니다. '\(text)'은(는) 쓸 수 없습니다")
        }
        return coordinate
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
