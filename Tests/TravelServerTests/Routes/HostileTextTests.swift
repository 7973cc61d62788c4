#if Server
import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelJSON

@testable import TravelServer

/// Texts and bodies on which the work of a careless reader grows faster than they do. Their processor time is measured by the
/// benchmark `server`, with the same ones; here they are answered at all.
@Suite("Hostile texts", .limitedConcurrency)
struct HostileTextTests {
    /// Texts of about that many bytes, as they stand in JSON.
    private static func texts(_ size: Int) -> [(name: String, text: String)] {
        func filled(_ part: String, after start: String = "") -> String {
            start + String(repeating: part, count: max(1, size / part.utf8.count))
        }
        return [
            ("letters", filled("a")), ("digits", filled("1")), ("spaces", filled(" ")),
            ("one letter with marks", filled("\u{301}", after: "e")),
            ("marks in the wrong order", filled("\u{315}\u{300}\u{5AE}", after: "a")),
            ("joined emoji", filled("\u{200D}👩", after: "👩")), ("skin tones", filled("🏽", after: "👍")),
            ("regional indicators", filled("🇰")), ("Hangul letters", filled("\u{1100}\u{1161}\u{11A8}")),
            ("variation selectors", filled("\u{FE0F}", after: "a")), ("tags", filled("\u{E0067}", after: "🏴")),
            ("prepended marks", filled("\u{600}") + "a"), ("invisible characters", filled("\u{200B}")),
            ("ligatures", filled("\u{FDFA}")), ("linked consonants", filled("\u{915}\u{94D}")),
            ("escaped marks", filled("\\u0301", after: "e")), ("escaped pairs", filled("\\ud83d\\ude00")),
        ]
    }

    /// Bodies of about that many bytes.
    private static func bodies(_ size: Int) -> [(name: String, text: String)] {
        func filled(_ part: String) -> String { String(repeating: part, count: size / part.utf8.count) }
        let names = (0..<(size / 10)).map { "\"k\($0)\":1" }.joined(separator: ",")
        return [
            ("nested lists", filled("[")), ("nested objects", filled(#"{"a":"#)), ("many names", "{\(names)}"),
            ("one name many times", "{" + filled(#""title":1,"#) + #""title":1}"#), ("a long number", filled("1")),
            ("a long exponent", "{\"version\":1e\(filled("9"))}"), ("many numbers", "[\(filled("1,"))1]"),
            ("many objects", "[\(filled("{},")){}]"), ("an open string", "\"" + filled("a")),
            ("backslashes", "\"\(filled("\\\\"))\""), ("spaces", filled(" ")), ("commas", "[" + filled(",")),
        ]
    }

    @Test("are answered in every body of a route that takes a small one")
    func smallBodies() async throws {
        try await withWorld {
            $0.attempts.accountsPerAddress = 10_000
        } _: { world in
            let mina = try await world.signUp("Mina")
            let json = ["Content-Type: application/json"]
            let routes: [(method: String, target: String, body: (String) -> String)] = [
                ("POST", "/v1/accounts", { #"{"nickname":"\#($0)","password":"open sesame"}"# }),
                ("POST", "/v1/accounts", { #"{"nickname":"Jun","password":"\#($0)"}"# }),
                ("POST", "/v1/accounts", { #"{"nickname":"Jun","password":"open sesame","invitation":"\#($0)"}"# }),
                ("POST", "/v1/sessions/refresh", { #"{"refreshToken":"\#($0)"}"# }),
                ("PATCH", "/v1/me", { #"{"nickname":"\#($0)"}"# }), ("PATCH", "/v1/me", { #"{"\#($0)":1}"# }),
            ]
            for (method, target, body) in routes {
                for (name, text) in Self.texts(60_000) {
                    let status = try await world.ask(
                        method, target, token: mina.access, headers: json, body: Array(body(text).utf8)
                    ).status
                    #expect([400, 401, 409, 422].contains(status), "\(method) \(target), \(name): \(status)")
                }
            }
            for (name, text) in Self.bodies(60_000) {
                let status = try await world.ask(
                    "PATCH", "/v1/me", token: mina.access, headers: json, body: Array(text.utf8)
                ).status
                #expect(status == 400, "\(name): \(status)")
            }
        }
    }

    @Test("are answered in every text of a large trip")
    func trips() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let trip = try world.trip(1, by: mina.user)
            let valid = String(decoding: try JSONCoding.data(for: RecordedTripRecord(trip)), as: UTF8.self)
            func status(_ body: String) async throws -> Int {
                try await world.ask(
                    "PUT", "/v1/trips/\(trip.id)", token: mina.access,
                    headers: ["Content-Type: application/json", "If-None-Match: *"], body: Array(body.utf8)
                ).status
            }
            func expect(_ body: String, _ expected: Int, _ name: String = "") async throws {
                let answer = try await status(body)
                #expect(answer == expected, "\(name)")
            }
            let places = ["Trip 1", "Harbour", "Rain", "Mina", "2025-05-01", "09:30", "jeju"].map { "\"\($0)\"" }
            for place in places {
                for (name, text) in Self.texts(1 << 18) {
                    let body = valid.replacingOccurrences(of: place, with: "\"\(text)\"")
                    let answer = try await status(body)
                    #expect([400, 422].contains(answer), "\(place), \(name)")
                }
            }
            for (name, text) in Self.bodies(1 << 18) {
                try await expect(text, 400, "\(name)")
                let inside = valid.replacingOccurrences(of: #""Rain""#, with: text)
                let answer = try await status(inside)
                #expect([400, 422].contains(answer), "\(name) in an entry")
            }
            try await expect(valid, 201)
        }
    }

    @Test("are answered in every address and every header")
    func heads() async throws {
        try await withWorld(pages: PlainPages()) { world in
            for (name, text) in Self.texts(2_000) {
                let text = text.percentEncoded
                for target in [
                    "/v1/titles?text=\(text)", "/v1/trips?keyword=\(text)", "/v1/trips?after=\(text)",
                    "/?keyword=\(text)", "/v1/nicknames/\(text)", "/v1/users/\(text)", "/\(text)",
                ] {
                    let status = try await world.ask("GET", target).status
                    #expect(status < 500, "\(name): \(status)")
                }
            }
            for value in [
                String(repeating: "a,", count: 3_500), String(repeating: "a;q=0.5,", count: 900),
                String(repeating: "\"a\",", count: 1_700), String(repeating: ";", count: 7_000),
                String(repeating: "1", count: 7_000),
            ] {
                for header in [
                    "Accept", "Accept-Language", "Accept-Encoding", "If-None-Match", "Authorization", "Content-Type",
                    "X-Forwarded-For", "Range",
                ] {
                    let status = try await world.ask("GET", "/v1/trips", headers: ["\(header): \(value)"]).status
                    #expect(status < 500, "\(header): \(status)")
                }
            }
        }
    }
}
#endif
