#if Server
import Foundation
import TravelDomain

/// The app in browsers that `traveline serve` has beside its interface for devices, in the group `server`.
///
/// `appPageBytes` is the size of the first page, and `appPage` the time until it is there. `appTrip300` is that of a trip with
/// 300 pictures, whose first day has 120, beside one without. `appInput` is the processor time of the server for one input and
/// the patch that shows it: of the only tab, and of one of 40, which all show what one of them likes. `appSuggestion` is the
/// time from a key in the search field to the suggestions in a patch, the pause of the model included. `appSession` is the
/// memory of a session with one tab, and `appAction99` the time in which 99 % of the patches arrive, while each of 1,000
/// sessions acts every five seconds: 95 of 100 inputs open a trip or go back, 5 like a trip.
enum BrowserBenchmarks {
    static func run(
        _ report: inout Report, _ server: ServerProcess, _ trips: [Trip.ID], _ pictures: PictureTrips
    ) async throws {
        let shapes = [
            "appPageBytes", "appPage", "appTrip300", "appInput", "appSuggestion", "appSession", "appAction99",
        ]
        guard shapes.contains(where: { report.isWanted($0) }) else { return }
        var people = People(server)
        try single(&report, server, &people, trips, pictures)
        try await many(&report, server, &people, trips)
    }

    private static func single(
        _ report: inout Report, _ server: ServerProcess, _ people: inout People, _ trips: [Trip.ID],
        _ pictures: PictureTrips
    ) throws {
        let browser = try people.signIn()
        var (bytes, times) = (0, [Double]())
        for _ in 0..<report.scaled(200) {
            let start = Report.Clock.wall.now
            bytes = try browser.get("/app/").count
            times.append(Double(Report.Clock.wall.now - start))
        }
        report.add(shape: "appPageBytes", column: "traveline serve", element: "bytes", times: [Double(bytes)])
        report.add(shape: "appPage", column: "traveline serve", element: "page", times: times)

        try openTrips(&report, browser, pictures)

        // A session may send 60 inputs at once.
        let (sessions, inputs) = (report.scaled(40), 50)
        var alone = 0.0
        for _ in 0..<sessions {
            let browser = try people.signIn()
            let tab = try browser.openTab()
            let before = server.processorTime
            for number in 0..<inputs { try tab.act(step(number, trips)) }
            alone += server.processorTime - before
            try tab.signOut()
        }
        report.add(
            shape: "appInput", column: "one tab", element: "input", times: [alone / Double(sessions * inputs)])
        let tabs = try (0..<sessions).map { _ in try people.signIn().openTab() }
        let before = server.processorTime
        for tab in tabs {
            for number in 0..<inputs { try tab.act(step(number, trips)) }
        }
        report.add(
            shape: "appInput", column: "40 tabs", element: "input",
            times: [(server.processorTime - before) / Double(sessions * inputs)])

        let search = try browser.openTab()
        _ = try search.act([("do", "open-search")])
        times = []
        for text in ["바다", "서울", "여행", "강", "s", "산책", "제주"].prefix(report.isQuick ? 2 : 7) {
            let start = Report.Clock.wall.now
            _ = try search.act([("keyword", text)])
            try search.wait(for: "class=\\\"proposal")
            times.append(Double(Report.Clock.wall.now - start))
        }
        report.add(shape: "appSuggestion", column: "traveline serve", element: "key", times: times)
    }

    private static func openTrips(_ report: inout Report, _ browser: Browser, _ pictures: PictureTrips) throws {
        let columns = [
            ("300 pictures", pictures.full), ("300 described pictures", pictures.described), ("none", pictures.plain),
        ]
        var times = [[Double]](repeating: [], count: columns.count)
        for _ in 0..<report.scaled(200) {
            for (index, (_, trip)) in columns.enumerated() {
                let start = Report.Clock.wall.now
                _ = try browser.get("/app/trips/\(trip.id)")
                times[index].append(Double(Report.Clock.wall.now - start))
            }
        }
        for ((column, _), times) in zip(columns, times) {
            report.add(shape: "appTrip300", column: column, element: "page", times: times)
        }
    }

    private static func many(
        _ report: inout Report, _ server: ServerProcess, _ people: inout People, _ trips: [Trip.ID]
    ) async throws {
        guard report.isWanted("appSession") || report.isWanted("appAction99") else { return }
        let (count, seconds) = report.isQuick ? (40, 5.0) : (1_000, 30.0)
        let before = server.residentBytes
        var tabs: [Tab] = []
        for _ in 0..<count { tabs.append(try people.signIn().openTab()) }
        report.add(
            shape: "appSession", column: "traveline serve", element: "bytes",
            times: [Double(server.residentBytes - before) / Double(count)])
        for tab in tabs { try tab.reconnect() }
        let start = Report.Clock.wall.now
        let times = try await withThrowingTaskGroup(of: [Double].self) { group in
            for (index, tab) in tabs.enumerated() {
                // A thread takes what belongs to it alone.
                nonisolated(unsafe) let tab = tab
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(
                                with: Result { try act(tab, index, of: count, for: seconds, since: start, trips) })
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }.sorted()
        report.add(
            shape: "appAction99", column: "traveline serve", element: "patch",
            times: [times[(times.count - 1) * 99 / 100]])
    }

    /// Acts every five seconds, and returns the nanoseconds from when it was time to until the patch was there.
    private static func act(
        _ tab: Tab, _ index: Int, of count: Int, for seconds: Double, since start: UInt64, _ trips: [Trip.ID]
    ) throws -> [Double] {
        var times: [Double] = []
        while true {
            let due = (Double(index) / Double(count) + Double(times.count)) * 5e9
            guard due < seconds * 1e9 else { return times }
            let now = Double(Report.Clock.wall.now - start)
            if now < due { Thread.sleep(forTimeInterval: (due - now) / 1e9) }
            try tab.act(step(times.count + index, trips))
            times.append(Double(Report.Clock.wall.now - start) - due)
        }
    }

    /// What a person does next: opens a trip, sometimes likes it, and goes back.
    private static func step(_ number: Int, _ trips: [Trip.ID]) -> [(String, String)] {
        if number % 20 == 19 { return [("do", "like \(trips[number / 20 % trips.count])"), ("do", "like")] }
        return number.isMultiple(of: 2) ? [("go", "/app/trips/\(trips[number / 2 % trips.count])")] : [("do", "back")]
    }

    /// Users with browsers: an account has at most 20 sessions, and an address at most 20 new accounts.
    private struct People {
        private let server: ServerProcess
        private var count = 0

        init(_ server: ServerProcess) { self.server = server }

        mutating func signIn() throws -> Browser {
            defer { count += 1 }
            let (person, isNew) = (count / 20, count.isMultiple(of: 20))
            return try Browser(
                server.port, from: UInt32(1 + person), isNew ? "sign-up" : "sign-in", nickname: "person \(person)")
        }
    }
}

/// A browser that is signed in.
private final class Browser {
    private let port: Int
    private let host: UInt32
    private var socket: LocalSocket
    private var cookie = ""
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)

    init(_ port: Int, from host: UInt32, _ form: String, nickname: String) throws {
        (self.port, self.host, socket) = (port, host, try LocalSocket(port: port, from: host))
        let body = "nickname=\(nickname.replacingOccurrences(of: " ", with: "+"))&password=a+long+password"
        let answer = try exchange("POST", "/app/\(form)", body: body)
        guard let line = answer.head.first(where: { $0.lowercased().hasPrefix("set-cookie: ") }) else {
            throw ServerBenchmarks.Failure("nobody is signed in: \(answer.head.first ?? "")")
        }
        cookie = String(line.dropFirst("set-cookie: ".count).prefix { $0 != ";" })
    }

    /// Connects anew: the server closes a connection that is idle for half a minute.
    func reconnect() throws { socket = try LocalSocket(port: port, from: host) }

    func get(_ target: String) throws -> [UInt8] { try exchange("GET", target, body: nil).body }

    /// Opens a page, and its stream of patches.
    func openTab() throws -> Tab {
        let page = String(decoding: try get("/app/"), as: UTF8.self)
        func value(after mark: String) throws -> String {
            guard let range = page.range(of: mark) else { throw ServerBenchmarks.Failure("a page without \(mark)") }
            return String(page[range.upperBound...].prefix { $0 != "\"" })
        }
        let patches = try LocalSocket(port: port, from: host)
        let (run, token) = (try value(after: "data-run=\""), try value(after: "name=\"token\" value=\""))
        try patches.send(request("GET", "/app/runs/\(run)/patches?version=\(try value(after: "data-version=\""))", nil))
        return Tab(self, run: run, token: token, patches)
    }

    private func request(_ method: String, _ target: String, _ body: String?) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)"]
        if !cookie.isEmpty { lines.append("Cookie: \(cookie)") }
        if let body {
            lines += [
                "Origin: http://127.0.0.1:\(port)", "Content-Type: application/x-www-form-urlencoded",
                "Content-Length: \(body.utf8.count)",
            ]
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8)
    }

    func exchange(_ method: String, _ target: String, body: String?) throws -> (head: [String], body: [UInt8]) {
        try socket.send(request(method, target, body))
        var count = 0
        while true {
            count = try socket.receive(into: &buffer, behind: count)
            guard let end = buffer[..<count].firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            let name = "content-length: "
            let length =
                head.first { $0.lowercased().hasPrefix(name) }.flatMap { Int($0.dropFirst(name.count)) } ?? 0
            while count < end.upperBound + length { count = try socket.receive(into: &buffer, behind: count) }
            return (head, Array(buffer[end.upperBound..<end.upperBound + length]))
        }
    }
}

/// A tab of a browser.
private final class Tab {
    private let browser: Browser
    private let run: String
    private let token: String
    private let patches: LocalSocket
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    private var received = ""
    private var lastInput = 0

    init(_ browser: Browser, run: String, token: String, _ patches: LocalSocket) {
        (self.browser, self.run, self.token, self.patches) = (browser, run, token, patches)
    }

    func reconnect() throws { try browser.reconnect() }

    /// Ends the session of the browser, and with it this tab.
    func signOut() throws {
        _ = try browser.exchange("POST", "/app/settings", body: "token=\(token)&do=sign-out")
        let answer = try browser.exchange("GET", "/app/settings", body: nil)
        guard answer.head.first?.contains(" 303 ") == true else {
            throw ServerBenchmarks.Failure("the session did not end: \(answer.head.first ?? "")")
        }
    }

    /// Sends an input, and waits for the patch that shows it.
    func act(_ pairs: [(String, String)]) throws {
        lastInput += 1
        let form = [("token", token), ("number", "\(lastInput)")] + pairs
        let allowed = CharacterSet.alphanumerics
        let body = form.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
        let answer = try browser.exchange("POST", "/app/runs/\(run)", body: body.joined(separator: "&"))
        guard answer.head.first?.contains(" 204 ") == true else {
            throw ServerBenchmarks.Failure("an input was refused: \(answer.head.first ?? "")")
        }
        // An event is one write of the server, and has the number near its beginning.
        try wait(for: "\"input\":\(lastInput),")
    }

    /// Waits for a patch with a text.
    func wait(for text: String) throws {
        while !received.contains(text) {
            received = String(received.suffix(64))
            let count = try patches.receive(into: &buffer, behind: 0)
            received += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
#endif
