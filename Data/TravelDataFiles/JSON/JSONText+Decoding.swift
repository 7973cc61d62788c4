import Foundation

extension JSONText {
    /// Decodes a value; errors name the place in the file.
    func decode<Value: Decodable>(_ type: Value.Type) throws(TravelFileError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch let error as TravelFileError {
            throw error
        } catch let error as DecodingError {
            throw TravelFileError(error)
        } catch {
            throw TravelFileError(.unexpected(expected: "in the right form"))
        }
    }
}

extension TravelFileError {
    /// The error of a decoder, in words.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(.missing(key: key.stringValue), at: .init(context.codingPath))
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            self.init(.unexpected(expected: Self.words(for: type)), at: .init(context.codingPath))
        case .dataCorrupted(let context):
            // The grammar is checked before, so this is a number out of range, or text that is not UTF-8.
            self.init(.unexpected(expected: "a number in range or text in UTF-8"), at: Place(context.codingPath))
        @unknown default: self.init(.unexpected(expected: "in the right form"))
        }
    }

    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text in quotation marks"
        case is Int.Type: "a whole number"
        case is Double.Type: "a number"
        case is [Any].Type: "a list in [ ]"
        case is [String: Any].Type: "an object in { }"
        default: "in the right form"
        }
    }
}

extension TravelFileError.Place {
    /// The place of a value: `travels[0].timeline[2].day`; `nil` for the root.
    init?(_ path: [any CodingKey]) {
        if path.isEmpty { return nil }
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        self = .path(text)
    }
}
