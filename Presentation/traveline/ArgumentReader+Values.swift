import TravelDomain
import TravelPresentation

extension ArgumentReader {
    /// The value as one of a type's cases, by its identifier or by its name in any language, in any case.
    mutating func value<Value: LocalizedNameProviding & CaseIterable & RawRepresentable>(
        _ kind: String, of type: Value.Type
    ) throws -> Value where Value.RawValue == String {
        let text = try value("NAME")
        return try Self.parse(text, kind)
    }

    /// The values of an option that may name several, separated by commas.
    mutating func values<Value: LocalizedNameProviding & CaseIterable & RawRepresentable>(
        _ kind: String
    ) throws -> [Value] where Value.RawValue == String {
        try value("NAME").split(separator: ",", omittingEmptySubsequences: false).map { try Self.parse($0, kind) }
    }

    private static func parse<Value: LocalizedNameProviding & CaseIterable & RawRepresentable>(
        _ text: some StringProtocol, _ kind: String
    ) throws -> Value where Value.RawValue == String {
        let wanted = text.lowercased()
        let found = Value.allCases.first { value in
            value.rawValue.lowercased() == wanted
                || Language.allCases.contains { value.name(in: $0).lowercased() == wanted }
        }
        guard let found else {
            let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("'\(text)' is no \(kind); there are: \(known)")
        }
        return found
    }

    mutating func headcount() throws -> Headcount {
        let text = try value("N")
        let number = text == "5+" ? 5 : Int(text)
        guard let found = number.flatMap(Headcount.init(rawValue:)) else {
            throw UsageError("'\(text)' is no headcount; there are: 1, 2, 3, 4, 5+")
        }
        return found
    }

    mutating func sort() throws -> TravelSort {
        switch try value("newest|liked") {
        case "newest": .newest
        case "liked": .mostLiked
        case let text: throw UsageError("'\(text)' is no order; there are: newest, liked")
        }
    }

    mutating func positiveNumber(_ placeholder: String) throws -> Int {
        let text = try value(placeholder)
        guard let number = Int(text), number > 0 else {
            throw UsageError("'\(text)' is no number of trips; give a whole number from 1")
        }
        return number
    }

    mutating func seed() throws -> UInt64 {
        let text = try value("SEED")
        guard let seed = UInt64(text) else {
            throw UsageError("'\(text)' is no seed; give a whole number from 0 to \(UInt64.max)")
        }
        return seed
    }

    mutating func path() throws -> String {
        let path = try value("PATH")
        if path.isEmpty || path == ":memory:" || path.hasPrefix("file:") {
            throw UsageError("--database needs the path of a file, not '\(path)'")
        }
        return path
    }
}
