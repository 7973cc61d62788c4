import Foundation

/// Decodes values of the domain, with errors that name the violated rule.
extension KeyedDecodingContainer {
    /// The place of the value with that key.
    func place(of key: Key) -> TravelFileError.Place? {
        TravelFileError.Place(codingPath + [key])
    }

    /// The result of `make` for the value with that key; a violated rule is reported with its place.
    func value<Raw: Decodable, Value>(
        _ key: Key, as type: Raw.Type = Raw.self, _ make: (Raw) throws(TravelError) -> Value
    ) throws -> Value {
        let raw = try decode(Raw.self, forKey: key)
        return try checked(key) { () throws(TravelError) in try make(raw) }
    }

    /// Runs `make`, and reports a violated rule with the place of that key.
    func checked<Value>(_ key: Key, _ make: () throws(TravelError) -> Value) throws -> Value {
        do {
            return try make()
        } catch {
            guard case .invalid(let violation) = error else { throw error }
            throw TravelFileError(.invalid(violation), at: place(of: key))
        }
    }

    /// An ID.
    func id<Entity>(_ key: Key) throws -> Identifier<Entity> {
        guard let id = Identifier<Entity>(try decode(String.self, forKey: key)) else {
            throw TravelFileError(
                .unexpected(expected: "a UUID such as 6f1c2c1e-8d5b-4a53-9c9e-0b1f6a7f3f10"), at: place(of: key))
        }
        return id
    }

    /// An ID that may be missing.
    func optionalID<Entity>(_ key: Key) throws -> Identifier<Entity>? {
        try contains(key) && !decodeNil(forKey: key) ? id(key) : nil
    }

    /// A moment.
    func date(_ key: Key) throws -> Date {
        guard let date = ExactTime.date(try decode(String.self, forKey: key)) else {
            throw TravelFileError(.unexpected(expected: "a time such as 2024-05-01T09:30:00Z"), at: place(of: key))
        }
        return date
    }

    /// The version of a travel; the first when it is missing.
    ///
    /// Up to 2^53 − 1, which every reader of JSON has exactly (RFC 8259, section 6): edits after an import never reach the
    /// last version.
    func version(_ key: Key) throws -> TravelVersion {
        let number = try decodeIfPresent(Int.self, forKey: key) ?? TravelVersion.first.number
        guard number < 1 << 53, let version = TravelVersion(number: number) else {
            throw TravelFileError(
                .unexpected(expected: "a whole number from 1 to 9007199254740991"), at: place(of: key))
        }
        return version
    }

    /// One case of an enumeration.
    func choice<Choice: RawRepresentable & CaseIterable>(_ key: Key) throws -> Choice where Choice.RawValue: Decodable {
        let raw = try decode(Choice.RawValue.self, forKey: key)
        return try Self.choice(raw, at: place(of: key))
    }

    /// One case of an enumeration, which may be missing.
    func optionalChoice<Choice: RawRepresentable & CaseIterable>(_ key: Key) throws -> Choice?
    where Choice.RawValue: Decodable {
        try decodeIfPresent(Choice.RawValue.self, forKey: key).map { try Self.choice($0, at: place(of: key)) }
    }

    /// Cases of an enumeration; none when they are missing.
    func choices<Choice: RawRepresentable & CaseIterable & Hashable>(_ key: Key) throws -> Set<Choice>
    where Choice.RawValue: Decodable {
        Set(
            try (decodeIfPresent([Choice.RawValue].self, forKey: key) ?? []).map {
                try Self.choice($0, at: place(of: key))
            })
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ raw: Choice.RawValue, at place: TravelFileError.Place?
    ) throws -> Choice {
        if let choice = Choice(rawValue: raw) { return choice }
        let known = Choice.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
        throw TravelFileError(.unexpected(expected: "one of \(known)"), at: place)
    }
}
