package import TravelDomain

/// The reason why a JSON text is not the value that is expected: the problem, and its place in the text.
package struct TravelJSONError: Error, Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
        /// The text violates the grammar of JSON, is nested too deeply, or has a number that is not whole or too large.
        case malformed
        /// An object lacks the value with that key.
        case missing(key: String)
        /// A value has another type than expected, or is not one of the expected values, which the text names.
        case unexpected(expected: String)
        /// A value breaks a rule of the domain.
        case invalid(Violation)
        /// Two objects of a list have that ID.
        case duplicate(String)
    }

    package let problem: Problem
    /// The keys and indexes that lead to the value, such as `timeline[2].day`; `nil` for the root.
    package let path: String?

    package init(_ problem: Problem, at path: String? = nil) {
        self.problem = problem
        self.path = path
    }

    package init(_ problem: Problem, at path: [any CodingKey]) {
        self.init(problem, at: Self.text(of: path))
    }

    package init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context): self.init(.missing(key: key.stringValue), at: context.codingPath)
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            self.init(.unexpected(expected: Self.words(for: type)), at: context.codingPath)
        case .dataCorrupted(let context) where context.codingPath.isEmpty: self.init(.malformed)
        case .dataCorrupted(let context):
            self.init(.unexpected(expected: "a number in range or text in UTF-8"), at: context.codingPath)
        @unknown default: self.init(.unexpected(expected: "in the right form"))
        }
    }

    /// The text of a path; `nil` for the root.
    package static func text(of path: [any CodingKey]) -> String? {
        if path.isEmpty { return nil }
        return path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }

    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text in quotation marks"
        case is Int.Type: "a whole number"
        case is Double.Type: "a number"
        case is Bool.Type: "true or false"
        case is [Any].Type: "a list in [ ]"
        case is [String: Any].Type: "an object in { }"
        default: "in the right form"
        }
    }
}

extension TravelJSONError: CustomStringConvertible {
    /// One English sentence that names the place, without the value.
    package var description: String {
        let sentence =
            switch problem {
            case .malformed: "The text is not JSON, or has a number of the wrong kind."
            case .missing(let key): "The value \"\(key)\" is missing."
            case .unexpected(let expected): "The value is not \(expected)."
            case .invalid(let violation): violation.description
            case .duplicate(let id): "The ID \(id) occurs twice."
            }
        return path.map { "\($0): \(sentence)" } ?? sentence
    }
}

/// Encodes and decodes the records of this module as JSON (RFC 8259).
package enum JSONCoding {
    /// Returns the JSON text of `value` in UTF-8, with sorted keys: equal values have equal bytes.
    ///
    /// - Throws: ``TravelJSONError`` for a number that JSON does not have, which no value of the domain contains.
    package static func data(for value: some Encodable) throws(TravelJSONError) -> Data {
        Data(try bytes(for: value))
    }

    /// The bytes of ``data(for:)``.
    package static func bytes(for value: some Encodable) throws(TravelJSONError) -> [UInt8] {
        if let value = value as? any JSONValue {
            var text = JSONText()
            value.write(to: &text)
            return text.bytes
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw TravelJSONError(.unexpected(expected: "a number that JSON has"))
        }
    }

    /// Returns the value of the JSON text in `data`. Unknown keys are ignored.
    ///
    /// - Parameter isStored: Whether the text comes from a store, which may have texts from before their sizes were limited.
    /// - Throws: ``TravelJSONError`` with the problem and its place.
    package static func value<Value: Decodable>(
        _ type: Value.Type = Value.self, in data: Data, isStored: Bool = false
    ) throws(TravelJSONError) -> Value {
        // The decoder compares names by their characters, which takes long for a long one.
        if JSONNames.haveLongOne(data) {
            throw TravelJSONError(.unexpected(expected: "an object with names of at most \(JSONNames.longest) bytes"))
        }
        do {
            return try decoder(isStored: isStored).decode(type, from: data)
        } catch let error as TravelJSONError {
            throw error
        } catch let error as DecodingError {
            throw TravelJSONError(error)
        } catch {
            throw TravelJSONError(.unexpected(expected: "in the right form"))
        }
    }

    /// A decoder of the records of this module; see ``value(_:in:isStored:)``.
    package static func decoder(isStored: Bool) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo[.isStored] = isStored
        return decoder
    }
}

extension CodingUserInfoKey {
    /// Whether what is decoded comes from a store.
    fileprivate static let isStored = CodingUserInfoKey(rawValue: "isStored")!
}

extension Decoder {
    /// Whether what is decoded comes from a store, so that its texts may have any size.
    var isStored: Bool { userInfo[.isStored] as? Bool ?? false }
}

/// Decodes values of the domain, with errors that name the violated rule.
extension KeyedDecodingContainer {
    /// The path to the value with that key.
    package func path(to key: Key) -> String? { TravelJSONError.text(of: codingPath + [key]) }

    /// The result of `make` for the value with that key; a violated rule is reported with its place.
    package func value<Raw: Decodable, Value>(
        _ key: Key, as type: Raw.Type = Raw.self, _ make: (Raw) throws(TravelError) -> Value
    ) throws -> Value {
        let raw = try decode(Raw.self, forKey: key)
        return try checked(key) { () throws(TravelError) in try make(raw) }
    }

    /// Runs `make`, and reports a violated rule with the place of that key.
    package func checked<Value>(_ key: Key, _ make: () throws(TravelError) -> Value) throws -> Value {
        do {
            return try make()
        } catch {
            guard case .invalid(let violation) = error else { throw error }
            throw TravelJSONError(.invalid(violation), at: path(to: key))
        }
    }

    package func id<Entity>(_ key: Key) throws -> Identifier<Entity> {
        guard let id = Identifier<Entity>(try decode(String.self, forKey: key)) else {
            throw TravelJSONError(
                .unexpected(expected: "a UUID such as 6f1c2c1e-8d5b-4a53-9c9e-0b1f6a7f3f10"), at: path(to: key))
        }
        return id
    }

    package func optionalID<Entity>(_ key: Key) throws -> Identifier<Entity>? {
        try has(key) ? id(key) : nil
    }

    package func date(_ key: Key) throws -> Date {
        guard let date = ExactTime.date(try decode(String.self, forKey: key)) else {
            throw TravelJSONError(.unexpected(expected: "a time such as 2024-05-01T09:30:00Z"), at: path(to: key))
        }
        return date
    }

    package func choice<Choice: RawRepresentable & CaseIterable>(_ key: Key) throws -> Choice
    where Choice.RawValue: Decodable {
        try Self.choice(decode(Choice.RawValue.self, forKey: key), at: path(to: key))
    }

    package func optionalChoice<Choice: RawRepresentable & CaseIterable>(_ key: Key) throws -> Choice?
    where Choice.RawValue: Decodable {
        try decodeIfPresent(Choice.RawValue.self, forKey: key).map { try Self.choice($0, at: path(to: key)) }
    }

    /// A set of choices, each at most once; empty when the list is missing.
    package func choices<Choice: RawRepresentable & CaseIterable & Hashable>(_ key: Key) throws -> Set<Choice>
    where Choice.RawValue: Decodable {
        guard try has(key) else { return [] }
        guard try nestedUnkeyedContainer(forKey: key).count ?? 0 <= Choice.allCases.count else {
            throw TravelJSONError(.unexpected(expected: "a list that names each value once"), at: path(to: key))
        }
        return Set(try decode([Choice.RawValue].self, forKey: key).map { try Self.choice($0, at: path(to: key)) })
    }

    /// Whether there is a value for `key` that is not null.
    package func has(_ key: Key) throws -> Bool { try contains(key) && !decodeNil(forKey: key) }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ raw: Choice.RawValue, at path: String?
    ) throws -> Choice {
        // The length first: texts are equal by their characters, which takes long for a long one.
        let isLong = (raw as? String).map { $0.utf8.count > 64 } ?? false
        if !isLong, let choice = Choice(rawValue: raw) { return choice }
        let known = Choice.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
        throw TravelJSONError(.unexpected(expected: "one of \(known)"), at: path)
    }
}
