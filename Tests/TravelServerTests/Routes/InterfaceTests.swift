#if Server
import Foundation
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelJSON

@testable import TravelServer

@Suite("The description of the interface", .limitedConcurrency)
struct DescriptionTests {
    @Test("has exactly the routes of the code")
    func routes() {
        let described = Description.shared.operations.map {
            "\($0.method) \($0.path) \($0.operation["operationId"] ?? "")"
        }
        let coded = Route.allCases.map { "\($0.method.rawValue) \($0.template) \($0.rawValue)" }
        #expect(Set(described) == Set(coded))
        #expect(described.count == coded.count)
    }

    /// The statuses that every route may have.
    private static let everywhere: Set = ["400", "414", "431", "503"]

    @Test("is summarised in the article, with the statuses of each route")
    func article() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let article = try String(
            contentsOf: root.appendingPathComponent("Presentation/TravelServer/TravelServer.docc/TheInterface.md"),
            encoding: .utf8)
        for (path, method, operation) in Description.shared.operations {
            let responses = try #require(operation["responses"] as? [String: Any])
            #expect(Self.everywhere.isSubset(of: responses.keys), "\(method) \(path)")
            let statuses = responses.keys.filter { !Self.everywhere.contains($0) }.sorted().joined(separator: ", ")
            let row = try #require(
                article.split(separator: "\n").first { $0.hasPrefix("| `\(method) \(path)` |") }, "\(method) \(path)")
            #expect(row.hasSuffix("| \(statuses) |"))
            #expect(row.contains("| \(operation["summary"] as? String ?? "-") |"))
        }
    }

    @Test("has the values of each choice")
    func choices() throws {
        func values<Value: CaseIterable & RawRepresentable<String>>(_: Value.Type) -> [String] {
            Value.allCases.map(\.rawValue)
        }
        for (name, values) in [
            ("Region", values(Region.self)), ("Theme", values(Theme.self)), ("Companion", values(Companion.self)),
            ("Season", values(Season.self)), ("Period", values(Period.self)), ("Budget", values(Budget.self)),
            ("Transportation", values(Transportation.self)), ("Sort", values(TripSort.self)),
        ] {
            #expect(Description.shared.schemas[name]?["enum"] as? [String] == values, "\(name)")
        }
        #expect(Description.shared.schemas["Headcount"]?["maximum"] as? Int == Headcount.allCases.count)
    }

    @Test("has the parameters, the body and the access of each route", arguments: Route.allCases)
    func shapes(route: Route) throws {
        let operation = try #require(Description.shared.paths[route.template]?[route.method.rawValue.lowercased()])
        let parameters = operation["parameters"] as? [[String: Any]] ?? []
        func names(in place: String) -> [String] {
            parameters.filter { $0["in"] as? String == place }.compactMap { $0["name"] as? String }
        }
        #expect(names(in: "query") == route.query)
        let inPath = route.template.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            String($0.dropFirst().dropLast())
        }
        #expect(names(in: "path") == inPath)
        let body = (operation["requestBody"] as? [String: Any])?["content"] as? [String: Any]
        switch route.body {
        case .none: #expect(body == nil)
        case .json: #expect(body.map { Array($0.keys) } == ["application/json"])
        case .picture: #expect(body.map { Array($0.keys) } == ["image/*"])
        }
        let security = try #require(operation["security"] as? [[String: Any]])
        switch route.access {
        case .everyone: #expect(security.isEmpty)
        case .viewer: #expect(security.count == 2 && security.contains { $0.isEmpty })
        case .user: #expect(security.count == 1 && security[0]["token"] != nil)
        }
        let success = (operation["responses"] as? [String: [String: Any]])?["200"]?["content"] as? [String: Any]
        #expect((success?["text/event-stream"] != nil) == route.isObservable)
    }
}

@Suite("Who may use a route", .limitedConcurrency)
struct AccessTests {
    @Test("is decided by a valid token alone, on every route of the description")
    func tokens() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let jun = try await world.signUp("Jun")
            let trip = try world.trip(1, by: mina.user)
            #expect(try await world.put(trip, token: mina.access).status == 201)
            world.clock.advance(by: 10)
            let revoked = try await world.signUp("Ara")
            try await world.ask("DELETE", "/v1/session", token: revoked.access)
            var changed = jun.access
            changed.replaceSubrange(changed.startIndex...changed.startIndex, with: changed.hasPrefix("A") ? "B" : "A")
            let bad = [revoked.access, changed, "", "admin", String(repeating: "A", count: 43), jun.refresh]
            let isAdmin = [
                "X-Admin: true", "X-User: \(mina.user.id)", "X-Forwarded-User: \(mina.user.id)",
                "Cookie: user=\(mina.user.id)",
                "From: Mina",
            ]
            for (path, method, operation) in Description.shared.operations {
                let target = path.replacingOccurrences(of: "{id}", with: "\(trip.id)")
                    .replacingOccurrences(of: "{nickname}", with: "Mina")
                let security = try #require(operation["security"] as? [[String: Any]])
                let needsToken = security.count == 1
                let looksAtToken = !security.isEmpty
                let noToken = try await world.ask(method, target, headers: isAdmin)
                #expect((noToken.status == 401) == needsToken, "\(method) \(path) without a token: \(noToken.status)")
                if needsToken { #expect(noToken.headers["www-authenticate"] != nil) }
                for token in bad {
                    let status = try await world.ask(method, target, token: token, headers: isAdmin).status
                    #expect((status == 401) == looksAtToken, "\(method) \(path) with a bad token: \(status)")
                }
            }
            // Of two tokens, none is the right one.
            let twice = ["Authorization: Bearer \(jun.access)"]
            #expect(try await world.ask("GET", "/v1/me", token: mina.access, headers: twice).status == 401)
            // Nothing has happened.
            #expect(try await world.store.trip(trip.id, viewer: nil).title.text == "Trip 1")
            // An expired token is none.
            world.clock.advance(by: 16 * 60)
            for (path, method, operation) in Description.shared.operations {
                guard (operation["security"] as? [[String: Any]])?.isEmpty == false else { continue }
                let target = path.replacingOccurrences(of: "{id}", with: "\(trip.id)")
                    .replacingOccurrences(of: "{nickname}", with: "Mina")
                #expect(try await world.ask(method, target, token: mina.access).status == 401, "\(method) \(path)")
            }
        }
    }

    @Test(
        "is, for the metrics, whoever is on the machine, and not a client of a proxy there", arguments: [false, true])
    func metrics(isBehindProxy: Bool) async throws {
        try await withWorld {
            $0.isBehindProxy = isBehindProxy
        } _: { world in
            #expect(try await world.ask("GET", "/metrics").status == 200)
            for header in [
                "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 127.0.0.1", "Forwarded: for=a", "Via: 1.1 a",
            ] {
                let status = try await world.ask("GET", "/metrics", headers: [header]).status
                #expect(status == 404)
            }
        }
    }

    @Test("is not that of another user: what is theirs stays as it is")
    func others() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let jun = try await world.signUp("Jun")
            let trip = try world.trip(1, by: mina.user)
            #expect(try await world.put(trip, token: jun.access).status == 403)
            #expect(try await world.put(trip, token: mina.access).status == 201)
            #expect(try await world.put(trip, token: jun.access, header: "If-Match: \"1\"").status == 403)
            #expect(
                try await world.ask("DELETE", "/v1/trips/\(trip.id)", token: jun.access, headers: ["If-Match: *"])
                    .status == 403)
            #expect(try await world.ask("PUT", "/v1/trips/\(trip.id)/report", token: mina.access).status == 403)
            #expect(try await world.ask("PUT", "/v1/trips/\(trip.id)/report", token: jun.access).status == 201)
            #expect(try await world.ask("PUT", "/v1/trips/\(trip.id)/report", token: jun.access).status == 200)
            // Blocks are their owner's.
            #expect(try await world.ask("PUT", "/v1/me/blocked/\(mina.user.id)", token: jun.access).status == 201)
            #expect(try await world.ask("PUT", "/v1/me/blocked/\(mina.user.id)", token: jun.access).status == 200)
            #expect(try await world.ask("PUT", "/v1/me/blocked/\(jun.user.id)", token: jun.access).status == 403)
            #expect(try await world.ask("GET", "/v1/me/blocked", token: mina.access).text == "[]")
            #expect(try await world.ask("GET", "/v1/me/blocked", token: jun.access).text.contains("Mina"))
            #expect(try await world.ask("GET", "/v1/trips/\(trip.id)", token: jun.access).status == 404)
            #expect(try await world.ask("GET", "/v1/trips/\(trip.id)").status == 200)
            #expect(try await world.ask("DELETE", "/v1/me/blocked/\(mina.user.id)", token: jun.access).status == 204)
            #expect(try await world.ask("GET", "/v1/trips/\(trip.id)", token: jun.access).status == 200)
        }
    }
}

@Suite("Accounts over HTTP", .limitedConcurrency)
struct AccountRouteTests {
    @Test("begin, are renewed, and end")
    func lifetime() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            #expect(try await world.ask("GET", "/v1/me", token: mina.access).json()["nickname"] as? String == "Mina")
            let taken = try await world.ask(
                "POST", "/v1/accounts", json: ["nickname": "MINA", "password": "open sesame"])
            #expect(taken.status == 409)
            #expect(try await world.ask("GET", "/v1/nicknames/mina").json()["taken"] as? Bool == true)
            #expect(
                try await world.ask("GET", "/v1/nicknames/mina", token: mina.access).json()["taken"] as? Bool == false)

            let renewed = try ServerWorld.Account(
                await world.ask("POST", "/v1/sessions/refresh", json: ["refreshToken": mina.refresh]))
            #expect(try await world.ask("GET", "/v1/me", token: mina.access).status == 401)
            #expect(try await world.ask("GET", "/v1/me", token: renewed.access).status == 200)
            // A refresh token that is used twice ends the family.
            #expect(
                try await world.ask("POST", "/v1/sessions/refresh", json: ["refreshToken": mina.refresh]).status == 401)
            #expect(try await world.ask("GET", "/v1/me", token: renewed.access).status == 401)

            let again = try ServerWorld.Account(
                await world.ask("POST", "/v1/sessions", json: ["nickname": "mina", "password": "open sesame"]))
            #expect(again.user.id == mina.user.id)
            // A device whose answer was lost asks again with the token that it has chosen.
            let next = try #require(Token(bytes: Array(1..<33))).text
            var body = ["refreshToken": again.refresh, "nextRefreshToken": next]
            var access = again.access
            for _ in 0..<3 {
                let repeated = try ServerWorld.Account(await world.ask("POST", "/v1/sessions/refresh", json: body))
                #expect(repeated.refresh == next)
                #expect(try await world.ask("GET", "/v1/me", token: access).status == 401)
                access = repeated.access
            }
            for weak in ["", "sesame", String(repeating: "A", count: 43)] {
                body = ["refreshToken": next, "nextRefreshToken": weak]
                #expect(try await world.ask("POST", "/v1/sessions/refresh", json: body).status == 400)
            }
            #expect(try await world.ask("GET", "/v1/me", token: access).status == 200)
            body = ["refreshToken": again.refresh, "nextRefreshToken": try #require(Token(bytes: Array(2..<34))).text]
            #expect(try await world.ask("POST", "/v1/sessions/refresh", json: body).status == 401)
            #expect(try await world.ask("GET", "/v1/me", token: access).status == 401)
            let signedIn = try ServerWorld.Account(
                await world.ask("POST", "/v1/sessions", json: ["nickname": "mina", "password": "open sesame"]))
            let changed = try await world.ask(
                "PUT", "/v1/me/password", token: signedIn.access, json: ["old": "open sesame", "new": "close sesame"])
            #expect(changed.status == 200)
            #expect(try await world.ask("GET", "/v1/me", token: signedIn.access).status == 401)
            let last = try ServerWorld.Account(changed)
            let renamed = try await world.ask("PATCH", "/v1/me", token: last.access, json: ["nickname": "Minseo"])
            #expect(try renamed.json()["nickname"] as? String == "Minseo")
            #expect(
                try await world.ask("DELETE", "/v1/me", token: last.access, json: ["password": "open sesame"]).status
                    == 401)
            #expect(try await world.ask("GET", "/v1/me", token: last.access).status == 200)
            #expect(
                try await world.ask("DELETE", "/v1/me", token: last.access, json: ["password": "close sesame"]).status
                    == 204)
            #expect(try await world.ask("GET", "/v1/me", token: last.access).status == 401)
            #expect(try await world.ask("GET", "/v1/users/\(mina.user.id)").status == 404)
        }
    }

    @Test("cannot take the ID of an author who is known elsewhere, whose trips are imported later")
    func chosenID() async throws {
        try await withWorld { world in
            let author = try User(seed: 7, nickname: "Sora")
            let body = ["id": "\(author.id)", "nickname": "Mallory", "password": "open sesame"]
            let reply = try await world.ask("POST", "/v1/accounts", json: body)
            #expect(reply.status == 201)
            let mallory = try ServerWorld.Account(reply)
            #expect(mallory.user.id != author.id)
            let trip = try world.trip(1, by: author)
            try await world.store.add([trip])
            let removal = try await world.ask(
                "DELETE", "/v1/trips/\(trip.id)", token: mallory.access, headers: ["If-Match: *"])
            #expect(removal.status == 403)
        }
    }

    @Test("answer an unknown nickname and a wrong password alike")
    func wrongCredentials() async throws {
        try await withWorld { world in
            _ = try await world.signUp("Mina")
            func answer(_ nickname: String) async throws -> (Int, NSDictionary) {
                let reply = try await world.ask(
                    "POST", "/v1/sessions", json: ["nickname": nickname, "password": "wrong password"])
                var json = try reply.json()
                json["request"] = nil
                return (reply.status, json as NSDictionary)
            }
            let (wrong, unknown) = (try await answer("Mina"), try await answer("Nobody"))
            #expect(wrong.0 == 401)
            #expect(wrong.0 == unknown.0)
            #expect(wrong.1 == unknown.1)
        }
    }

    @Test("allow some attempts, and then more after a while", arguments: ["Mina", "Nobody"])
    func attempts(nickname: String) async throws {
        try await withWorld {
            $0.attempts.perAccountAndAddress = 3
        } _: { world in
            _ = try await world.signUp("Mina")
            func attempt(_ password: String) async throws -> Reply {
                try await world.ask("POST", "/v1/sessions", json: ["nickname": nickname, "password": password])
            }
            for _ in 0..<3 { #expect(try await attempt("wrong password").status == 401) }
            let refused = try await attempt("open sesame")
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "900")
            world.clock.advance(by: 901)
            #expect(try await attempt("open sesame").status == (nickname == "Mina" ? 200 : 401))
        }
    }

    @Test("allow more attempts after the same while when the clock of the server is set back")
    func attemptsWhileTheClockIsSetBack() async throws {
        try await withWorld {
            $0.attempts.perAccountAndAddress = 3
        } _: { world in
            func attempt() async throws -> Reply {
                try await world.ask("POST", "/v1/sessions", json: ["nickname": "Nobody", "password": "wrong password"])
            }
            for _ in 0..<3 { _ = try await attempt() }
            for (passed, rest) in [(300, "600"), (-365 * 24 * 3_600, "600"), (599, "1")] {
                world.clock.advance(by: TimeInterval(passed))
                let refused = try await attempt()
                #expect(refused.headers["retry-after"] == rest)
            }
            world.clock.advance(by: 1)
            #expect(try await attempt().status == 401)
        }
    }

    @Test("allow some attempts of one address, and some new accounts")
    func addresses() async throws {
        try await withWorld {
            $0.attempts.perAddress = 3
            $0.attempts.accountsPerAddress = 2
        } _: { world in
            for number in 0..<3 {
                let answer = try await world.ask(
                    "POST", "/v1/sessions", json: ["nickname": "No\(number)", "password": "wrong password"])
                #expect(answer.status == 401)
            }
            #expect(
                try await world.ask("POST", "/v1/sessions", json: ["nickname": "Other", "password": "wrong password"])
                    .status == 429)
            _ = try await world.signUp("Mina")
            _ = try await world.signUp("Jun")
            #expect(
                try await world.ask("POST", "/v1/accounts", json: ["nickname": "Ara", "password": "open sesame"]).status
                    == 429)
        }
    }

    @Test("that are attacked from elsewhere are open to their users, and the attack ends")
    func lockout() async throws {
        try await withWorld {
            $0.isBehindProxy = true
            $0.attempts.perAccount = 5
        } _: { world in
            func attempt(_ password: String, from address: String) async throws -> Int {
                try await world.ask(
                    "POST", "/v1/sessions", headers: ["X-Forwarded-For: \(address)"],
                    json: ["nickname": "Mina", "password": password]
                ).status
            }
            let mina = try await world.ask(
                "POST", "/v1/accounts", headers: ["X-Forwarded-For: 192.0.2.1"],
                json: ["nickname": "Mina", "password": "open sesame"])
            #expect(mina.status == 201)
            for number in 1...5 {
                #expect(try await attempt("wrong password", from: "198.51.100.\(number)") == 401)
            }
            #expect(try await attempt("open sesame", from: "198.51.100.6") == 429)
            #expect(try await attempt("open sesame", from: "192.0.2.1") == 200)
            // Where she has never been, she waits, and then is known there as well.
            #expect(try await attempt("open sesame", from: "2001:db8::1") == 429)
            world.clock.advance(by: 3_601)
            #expect(try await attempt("open sesame", from: "2001:db8::1") == 200)
            for number in 1...5 {
                #expect(try await attempt("wrong password", from: "198.51.100.\(number)") == 401)
            }
            #expect(try await attempt("open sesame", from: "2001:db8::2:1") == 200)
            #expect(try await attempt("open sesame", from: "2001:db8:0:1::1") == 429)
        }
    }

    @Test("leave nothing secret in the log, in problems or in the metrics")
    func secrets() async throws {
        try await withWorld { world in
            let password = "a very secret password"
            let mina = try await world.signUp("Mina", password: password)
            var texts: [String] = []
            texts.append(
                try await world.ask("POST", "/v1/sessions", json: ["nickname": "Mina", "password": password + "!"]).text
            )
            texts.append(
                try await world.ask("POST", "/v1/accounts", json: ["nickname": "Mina", "password": password]).text)
            texts.append(try await world.ask("POST", "/v1/sessions/refresh", json: ["refreshToken": mina.access]).text)
            texts.append(
                try await world.ask("POST", "/v1/sessions", json: ["nickname": "M", "password": password]).text)
            texts.append(try await world.ask("GET", "/v1/trips?keyword=secretplace", token: mina.access).text)
            texts.append(
                try await world.ask("GET", "/\(password.replacingOccurrences(of: " ", with: "-"))?x=secretplace").text)
            texts.append(try await world.ask("GET", "/metrics").text)
            #expect(try await eventually { world.log.all.count >= 8 })
            for text in texts + world.log.all {
                for secret in [password, mina.access, mina.refresh, "secretplace", "very-secret", "127.0.0.1"] {
                    #expect(!text.contains(secret), "\(text)")
                }
            }
            for line in world.log.all {
                #expect(!line.contains("Mina") && !line.contains("\(mina.user.id)"))
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
            #expect(
                texts.last?.contains(
                    "traveline_requests_total{route=\"/v1/accounts\",method=\"POST\",status=\"201\"} 1") == true)
        }
    }
}
#endif
