#if Server
import Foundation
internal import TravelDomain

/// The head of a request, and its body on demand.
package struct HTTPRequest: Sendable {
    /// The method in the case in which it was sent: `GET` is one, `get` is another.
    package let method: String
    /// The segments of the path, percent-decoded: `["v1", "trips"]`. Those of `/` are empty.
    package let path: [String]
    /// The pairs of the query in order, percent-decoded, with `+` as a space, as forms send it. A name without `=` has
    /// no value.
    package let query: [(name: String, value: String?)]
    package let headers: HTTPHeaders
    /// Whether the path or the query is not percent-encoded UTF-8 without control characters. Both are empty then.
    package let isMalformed: Bool
    /// The address of the client, without its port; behind a proxy, the one that the proxy names.
    package let client: String
    /// Reads the body to its end, at most that many bytes.
    package let readBody: @Sendable (_ limit: Int) async throws -> [UInt8]
    /// Reserves memory for an answer of that many bytes at most, before it is produced.
    package let reserveAnswer: @Sendable (_ count: Int) throws -> Void
}

extension HTTPRequest {
    /// The representations that the client has.
    var condition: HTTPCondition? { headers.list("if-none-match").flatMap(HTTPCondition.init) }
}

/// The fields of a head, in order. Names are compared without their case.
package struct HTTPHeaders: Sendable {
    private(set) package var fields: [(name: String, value: String)] = []

    /// The first value of that name, in lower case.
    package subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// All values of that name, in lower case, as one list.
    func list(_ name: String) -> String? {
        var list: String?
        for (field, value) in fields where field == name { list = list.map { "\($0), \(value)" } ?? value }
        return list
    }

    /// The items of a list with their weights (RFC 9110, section 12.4.2), in lower case; 1 for an item without a weight.
    /// An item whose weight is not a number of 0 to 1, with any number of decimals, is left out, as if it were not in the
    /// list: what the client meant by it cannot be known.
    package func weights(_ name: String) -> [(item: String, weight: Double)] {
        (list(name) ?? "").lowercased().split(separator: ",").compactMap { item in
            let parts = item.split(separator: ";", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard let weight = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return (parts[0], 1) }
            let number = weight.dropFirst(2).trimmingCharacters(in: .whitespaces)
            guard number.allSatisfy("0123456789.".contains), let value = Double(number), value <= 1 else { return nil }
            return (parts[0], value)
        }
    }

    package func count(of name: String) -> Int {
        fields.lazy.filter { $0.name == name }.count
    }

    mutating func add(_ name: String, _ value: String) {
        fields.append((name.lowercased(), value))
    }
}

/// The answer to a request.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: Body

    package enum Body: Sendable {
        case bytes([UInt8])
        /// Bytes as they come; the closure ends the body when it returns, and breaks it off when it throws. `keepAlive`
        /// is sent when nothing else has been for a while.
        case stream(keepAlive: [UInt8], @Sendable (HTTPStream) async throws -> Void)
    }

    package init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = .bytes(body)
    }

    package init(
        streaming headers: [(name: String, value: String)], keepAlive: [UInt8],
        _ produce: @escaping @Sendable (HTTPStream) async throws -> Void
    ) {
        self.status = 200
        self.headers = headers
        self.body = .stream(keepAlive: keepAlive, produce)
    }

    var byteCount: Int? {
        if case .bytes(let bytes) = body { bytes.count } else { nil }
    }
}

/// Why a request is answered by the server itself.
package enum HTTPRefusal: Error, Hashable {
    /// The head can be read in more than one way.
    case ambiguousHead
    case targetTooLong(limit: Int)
    case headTooLarge(limit: Int)
    /// The body is longer than the limit, as announced or in fact.
    case bodyTooLarge(limit: Int)
    /// The bodies that are being read take up all memory that there is for them, or for those of one client.
    case tooManyBodies
    /// The answers that are being sent take up all memory that there is for them, or for those of one client.
    case tooManyAnswers
    case stopping
    /// The handler has failed.
    case fault

    package var status: Int {
        switch self {
        case .ambiguousHead: 400
        case .targetTooLong: 414
        case .headTooLarge: 431
        case .bodyTooLarge: 413
        case .tooManyBodies, .tooManyAnswers, .stopping: 503
        case .fault: 500
        }
    }
}

/// The target of a request, its path with its query (RFC 3986), decoded.
struct HTTPTarget {
    /// A name of a query with its value, percent-encoded.
    typealias Pair = (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?)

    /// The segments of the path; the dots of relative references are segments like others.
    let path: [String]
    let query: [(name: String, value: String?)]

    /// Decodes a target; `nil` when it is not percent-encoded UTF-8 without control characters.
    ///
    /// The form with scheme and authority (RFC 9112, section 3.2.2) is read as its path.
    init?(path: UnsafeRawBufferPointer, query: [Pair]) {
        var path = Array(path)[...]
        for scheme in ["http://", "https://"] where path.starts(with: scheme.utf8) {
            path = path.dropFirst(scheme.utf8.count).drop { $0 != UInt8(ascii: "/") }
            if path.isEmpty { path = [UInt8(ascii: "/")] }
        }
        guard path.first == UInt8(ascii: "/") else { return nil }
        path = path.dropFirst()
        var segments: [String] = []
        // A path of nothing but its slash has none.
        for part in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) where !path.isEmpty {
            guard let segment = Self.decoded(part) else { return nil }
            segments.append(segment)
        }
        var pairs: [(name: String, value: String?)] = []
        for (name, value) in query {
            let text = value.map { Self.decoded($0, plusIsSpace: true) }
            guard let name = Self.decoded(name, plusIsSpace: true), text != .some(nil) else { return nil }
            pairs.append((name, text ?? nil))
        }
        (self.path, self.query) = (segments, pairs)
    }

    private static func decoded(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String? {
        let bytes = bytes.map { plusIsSpace && $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        guard let encoded = String(validating: bytes, as: UTF8.self),
            let text = bytes.contains(UInt8(ascii: "%")) ? String(percentEncoded: encoded) : encoded,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return text
    }
}

/// The part of a representation that a `Range` asks for (RFC 9110, section 14).
enum HTTPRange: Hashable {
    /// Everything: there is no range, or one that servers ignore, such as several ranges.
    case whole
    case part(Range<Int>)
    /// No byte lies in the range.
    case unsatisfiable

    /// The range that `header` selects from `count` bytes.
    init(_ header: String?, of count: Int) {
        guard let match = header?.wholeMatch(of: #/bytes=([0-9]*)-([0-9]*)/#) else {
            self = .whole
            return
        }
        // A number that does not fit lies behind every byte.
        func number(_ text: Substring) -> Int? { text.isEmpty ? nil : Int(text) ?? .max }
        switch (number(match.1), number(match.2)) {
        case (nil, nil): self = .whole
        case (nil, let length?):
            self = length == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - length)..<count)
        case (let first?, let last):
            if let last, last < first {
                self = .whole
            } else if first >= count {
                self = .unsatisfiable
            } else {
                self = .part(first..<min(count, last.map { $0 == .max ? $0 : $0 + 1 } ?? count))
            }
        }
    }
}

/// The entity tags of a conditional header (RFC 9110, section 13.1).
enum HTTPCondition: Hashable {
    case any
    /// The texts between the quotation marks, without the mark of weak ones.
    case tags([String])

    /// Reads `*` or a list of tags; `nil` for another text.
    init?(_ header: String) {
        if header.trimmingCharacters(in: .whitespaces) == "*" {
            self = .any
            return
        }
        var tags: [String] = []
        for item in header.split(separator: ",", omittingEmptySubsequences: true) {
            var tag = item.trimmingCharacters(in: .whitespaces)[...]
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            guard tag.count >= 2, tag.first == "\"", tag.last == "\"" else { return nil }
            tags.append(String(tag.dropFirst().dropLast()))
        }
        guard !tags.isEmpty else { return nil }
        self = .tags(tags)
    }

    func matches(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains(tag)
        }
    }
}
#endif
