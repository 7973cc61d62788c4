#if Server
internal import CZlib
import Foundation

/// The form in which a body is sent (RFC 9110, section 8.4.1).
package enum ContentCoding: Hashable {
    case identity, gzip

    /// The form that the client prefers: gzip, if it accepts it and does not prefer the bytes as they are.
    init(acceptedBy headers: HTTPHeaders) {
        let weights = headers.weights("accept-encoding")
        func weight(_ name: String) -> Double? { weights.last { $0.item == name }?.weight }
        let gzip = weight("gzip") ?? weight("x-gzip") ?? weight("*") ?? 0
        self = gzip > 0 && gzip >= weight("identity") ?? 0 ? .gzip : .identity
    }

    private static let suffix = "-gzip"

    /// The entity tag of this form of the representation with that tag: each form has its own, as their bytes differ.
    func tag(of tag: String) -> String {
        self == .gzip ? tag + Self.suffix : tag
    }

    /// The tag of the representation of which one form has that entity tag.
    static func representation(of tag: String) -> String {
        tag.hasSuffix(suffix) ? String(tag.dropLast(suffix.count)) : tag
    }
}

extension HTTPRequest {
    /// The form of the answer if it is a text. Only reads are compressed: the length of an answer with tokens must not
    /// depend on what else is in it.
    package var coding: ContentCoding {
        method == "GET" || method == "HEAD" ? ContentCoding(acceptedBy: headers) : .identity
    }
}

extension HTTPResponse {
    /// The tag between the quotation marks of the header.
    private var tag: String? {
        headers.first { $0.name == "ETag" }.map { String($0.value.dropFirst().dropLast()) }
    }

    /// The answer to a read: 304 when the client has the representation, in a form that it accepts.
    package func unlessKnown(to request: HTTPRequest) -> HTTPResponse {
        guard status == 200, request.method == "GET" || request.method == "HEAD", let condition = request.condition,
            let tag = tag.map(ContentCoding.representation),
            let known = [tag, request.coding.tag(of: tag)].first(where: condition.matches)
        else { return self }
        var answer = HTTPResponse(304, headers: headers)
        answer.headers.removeAll { ["Content-Type", "Content-Encoding", "ETag"].contains($0.name) }
        answer.headers.append(("ETag", "\"\(known)\""))
        return answer
    }

    /// The shortest body that is compressed, in bytes: a shorter one fits in a packet as it is.
    static let shortestCompressed = 1_024

    /// Compresses the body of a text, if that makes it shorter.
    package mutating func compress(for coding: ContentCoding) {
        guard coding == .gzip, let type = headers.first(where: { $0.name == "Content-Type" })?.value,
            Self.compressedTypes.contains(where: type.hasPrefix)
        else { return }
        compress(level: Self.level)
    }

    /// Compresses the body of any type, if that makes it shorter, at a level of 1 to 9.
    fileprivate mutating func compress(level: Int32) {
        guard case .bytes(let bytes) = body, bytes.count >= Self.shortestCompressed,
            let compressed = zlibCompressed(bytes, level: level, format: CZlib_gzip)
        else { return }
        body = .bytes(compressed)
        headers.append(("Content-Encoding", "gzip"))
        if let index = headers.firstIndex(where: { $0.name == "ETag" }), let tag {
            headers[index].value = "\"\(ContentCoding.gzip.tag(of: tag))\""
        }
    }

    private static let compressedTypes = ["application/json", "application/problem+json", "text/html"]

    /// Of 1 to 9: the others take up to twice the time for a tenth of the size.
    private static let level: Int32 = 1
}

/// A text that is the same in every answer, such as a script: it is compressed once.
///
/// A browser asks for it again each time, and gets it only when it has changed.
package struct StaticText: Sendable {
    private let plain: HTTPResponse
    private let compressed: HTTPResponse

    /// - Parameter type: The media type, without a parameter.
    package init(_ text: String, type: String) {
        let bytes = Array(text.utf8)
        plain = HTTPResponse(
            200,
            headers: [
                ("Content-Type", "\(type); charset=utf-8"), ("ETag", "\"\(EntityTag.digest(of: bytes))\""),
                ("Cache-Control", "public, no-cache"), ("Vary", "Accept-Encoding"),
            ], body: bytes)
        var answer = plain
        answer.compress(level: 9)
        compressed = answer
    }

    /// The text in the form that the client prefers, or that the client has it.
    package func answer(to request: HTTPRequest) -> HTTPResponse {
        (request.coding == .gzip ? compressed : plain).unlessKnown(to: request)
    }
}

/// The bytes compressed in a format of `CZlib`, at a level of 1 to 9; `nil` when that would not be shorter.
func zlibCompressed(_ bytes: [UInt8], level: Int32, format: Int32) -> [UInt8]? {
    guard let room = UInt32(exactly: bytes.count - 1) else { return nil }
    let compressed = [UInt8](unsafeUninitializedCapacity: bytes.count - 1) { target, count in
        // The library reads `bytes` and writes at most `room` bytes at `target`, during this call.
        count = bytes.withUnsafeBytes {
            CZlib_compress($0.baseAddress, room + 1, target.baseAddress, room, level, format)
        }
    }
    return compressed.isEmpty ? nil : compressed
}
#endif
