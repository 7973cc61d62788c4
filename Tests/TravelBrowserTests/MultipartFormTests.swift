#if Server
import Foundation
import TestReporting
import Testing
@testable import TravelBrowser

@Suite("Forms with files")
struct MultipartFormTests {
    private struct Part {
        var name: String
        var fileName: String?
        var bytes: [UInt8]
    }

    private static func body(_ parts: [Part], _ boundary: String) -> [UInt8] {
        func escaped(_ text: String) -> String {
            text.replacingOccurrences(of: "\n", with: "%0D%0A").replacingOccurrences(of: "\"", with: "%22")
        }
        var body: [UInt8] = []
        for part in parts {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(escaped(part.name))\"".utf8)
            if let fileName = part.fileName {
                body += Array("; filename=\"\(escaped(fileName))\"\r\nContent-Type: image/png".utf8)
            }
            body += Array("\r\n\r\n".utf8) + part.bytes + Array("\r\n".utf8)
        }
        return body + Array("--\(boundary)--\r\n".utf8)
    }

    /// Bytes that look like delimiters now and then.
    private static func bytes(_ boundary: String, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...6, using: &random)).flatMap { _ -> [UInt8] in
            switch Int.random(in: 0...5, using: &random) {
            case 0: Array("\r\n".utf8)
            case 1: Array("\r\n--".utf8)
            case 2: Array("--\(boundary.dropLast())".utf8)
            case 3: Array("\r".utf8)
            case 4: Array("\r\n--\(boundary.dropLast())\u{1}".utf8)
            default: (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
        }
    }

    private static func parts(_ boundary: String, _ random: inout SeededGenerator) -> [Part] {
        (0..<Int.random(in: 0...5, using: &random)).map { number in
            let name = ["title", "a\"b", "두\n줄", "x;y=\u{3D}"].randomElement(using: &random) ?? ""
            let isFile = Bool.random(using: &random)
            let text = Array(["", "바다", "a\r\nb", "--"].randomElement(using: &random)?.utf8 ?? "".utf8)
            return Part(
                name: name, fileName: isFile ? ["바다.png", "a\".png"].randomElement(using: &random) : nil,
                bytes: isFile ? bytes(boundary, &random) : text)
        }
    }

    @Test(
        "what a browser sends is read as it was, and cut off anywhere it is refused",
        arguments: 0..<100 as Range<UInt64>)
    func generated(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let boundary = "----WebKitFormBoundary\(UInt64.random(in: 0...(.max), using: &random))"
        let parts = Self.parts(boundary, &random)
        let body = Self.body(parts, boundary)
        let type = "multipart/form-data; boundary=\(boundary)"
        let form = try MultipartForm(body, contentType: type)
        let (fields, files) = (parts.filter { $0.fileName == nil }, parts.filter { $0.fileName != nil })
        #expect(form.fields.map(\.name) == fields.map(\.name))
        #expect(form.fields.map { Array($0.value.utf8) } == fields.map(\.bytes))
        #expect(form.files.map(\.name) == files.map(\.name) && form.files.map(\.fileName) == files.map(\.fileName))
        #expect(form.files.map { Array($0.bytes) } == files.map(\.bytes))
        // Without the last line break it is complete as well (RFC 2046 does not want one).
        for count in 0..<(body.count - 2) {
            #expect(throws: MultipartForm.Malformed.self) {
                _ = try MultipartForm(Array(body[..<count]), contentType: type)
            }
        }
        for _ in 0..<50 {
            var changed = body
            changed[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            // Whatever it becomes, it is read or refused.
            _ = try? MultipartForm(changed, contentType: type)
        }
    }

    @Test(
        "what no browser sends is refused",
        arguments: [
            ("multipart/form-data; boundary=", "----\r\n"), ("multipart/form-data", "--x--\r\n"),
            ("multipart/mixed; boundary=x", "--x--\r\n"), ("multipart/form-data; boundary=x; boundary=y", "--x--\r\n"),
            ("multipart/form-data; boundary=x", "preamble\r\n--x--\r\n"),
            ("multipart/form-data; boundary=x", "--x--\r\nmore"),
            ("multipart/form-data; boundary=x", "--x\r\n\r\n\r\n--x--\r\n"),
            ("multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--"),
            ("multipart/form-data; boundary=x", "--x\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n\r\n--x--"),
            ("multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--x--"),
            (
                "multipart/form-data; boundary=x",
                "--x\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\n\r\n--x--"
            ),
            (
                "multipart/form-data; boundary=x",
                "--x\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n--x--"
            ),
            ("multipart/form-data; boundary=x", "--xy\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n--xy--"),
        ])
    func refused(type: String, body: String) {
        #expect(throws: MultipartForm.Malformed.self) { _ = try MultipartForm(Array(body.utf8), contentType: type) }
    }

    @Test("a field without a chosen file has none, and limits hold")
    func limits() throws {
        let type = "multipart/form-data; boundary=x"
        #expect(
            try MultipartForm(Self.body([Part(name: "files", fileName: "", bytes: [])], "x"), contentType: type).files
                .isEmpty)
        let many = (0...MultipartForm.maximumPartCount).map { Part(name: "\($0)", bytes: []) }
        #expect(try MultipartForm(Self.body(many.dropLast(), "x"), contentType: type).fields.count == many.count - 1)
        #expect(throws: MultipartForm.Malformed.self) { _ = try MultipartForm(Self.body(many, "x"), contentType: type) }
        let long = [Part(name: "a", bytes: [UInt8](repeating: 65, count: MultipartForm.maximumFieldSize + 1))]
        #expect(throws: MultipartForm.Malformed.self) { _ = try MultipartForm(Self.body(long, "x"), contentType: type) }
        let head = [Part(name: String(repeating: "a", count: MultipartForm.maximumHeadSize), bytes: [])]
        #expect(throws: MultipartForm.Malformed.self) { _ = try MultipartForm(Self.body(head, "x"), contentType: type) }
    }
}
#endif
