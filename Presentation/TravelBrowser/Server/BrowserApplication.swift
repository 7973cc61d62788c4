#if Server
import Foundation
internal import TravelPages
internal import TravelServer

/// Answers the requests of browsers below `/app`: pages, inputs, streams of patches, and what pages are made of.
///
/// Who asks is known by the cookie of a session. Every action is a `POST` that comes from a page of this site, by its origin
/// and by the token of the session.
struct BrowserApplication: Sendable {
    /// Where a browser finds the app.
    struct Origins: Sendable {
        /// The values of `Host` that are this site: other names would lead here by a changed DNS entry.
        let hosts: Set<String>
        let scheme: String
        /// The name of the cookie: cookies of one host are sent to all its ports.
        let cookie: String

        func contains(_ origin: String) -> Bool { hosts.contains { "\(scheme)://\($0)" == origin } }
    }

    /// How a browser gets a session.
    enum Entrance: Sendable {
        /// By a secret of one use; `nil` for a wrong one.
        case ticket(@Sendable (_ secret: String) async -> BrowserSessions.Access?)
        /// By the account of a person on this server.
        case accounts(AccountForms)

        var accounts: AccountForms? { if case .accounts(let forms) = self { forms } else { nil } }
    }

    let origins: Origins
    let sessions: BrowserSessions
    let entrance: Entrance
    /// The server of street maps, whose pictures the pages may show; `nil` for none.
    var tiles: TileServer?
    /// The time for which a page waits for what loads.
    var patience = Duration.milliseconds(500)
    /// The time for which the answer to a form waits: pictures are read, and the page cannot change later.
    private static let formPatience = Duration.seconds(10)

    private static let smallBody = 262_144

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        var response: HTTPResponse
        do {
            response = try await route(request)
        } catch let refusal as HTTPRefusal {
            response = HTTPResponse(refusal.status)
        } catch let error as Refusal {
            response = Self.page(error.status, error.text)
        } catch {
            response = Self.page(500, Text("Something went wrong. Try again.", "문제가 생겼습니다. 다시 시도해 주세요."))
        }
        if !response.headers.contains(where: { $0.name == "Cache-Control" }) {
            response.headers.append(("Cache-Control", "no-store"))
        }
        response.headers += [
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Content-Security-Policy", policy),
        ]
        response.compress(for: request.coding)
        return response
    }

    /// Scripts, styles, pictures and requests of this site, pictures of the server of street maps, and nothing else.
    private var policy: String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'\(tiles.map { " \($0.origin)" } ?? ""); "
            + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }

    private struct Refusal: Error {
        let status: Int
        let text: Text

        static let elsewhere = Refusal(
            status: 403, text: Text("This request does not come from a page of this app.", "이 앱의 페이지에서 온 요청이 아닙니다."))
        static let nothing = Refusal(status: 404, text: Text("There is nothing here.", "찾을 수 없습니다."))
        static let signedOut = Refusal(
            status: 401,
            text: Text("The session has ended: open the app again.", "세션이 끝났습니다. 앱을 다시 여세요."))
        static let unavailable = Refusal(
            status: 503, text: Text("The server cannot answer at the moment.", "서버가 지금은 응답할 수 없습니다."))
        static let tooMany = Refusal(status: 429, text: Text("Too many requests.", "요청이 너무 많습니다."))
    }

    private func route(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let host = request.headers["host"], request.headers.count(of: "host") == 1, origins.hosts.contains(host)
        else { throw Refusal(status: 421, text: Text("This address is not that of the app.", "앱의 주소가 아닙니다.")) }
        let isPost = request.method == "POST"
        guard isPost || request.method == "GET" || request.method == "HEAD" else {
            throw Refusal(status: 405, text: Text("Only GET and POST.", "GET과 POST만 됩니다."))
        }
        if isPost {
            // A form in a file has the origin `null`; what it may do is to use a secret.
            let origin = request.headers["origin"] ?? ""
            let isOpening = entrance.accounts == nil && request.path == ["app", "open"]
            guard origins.contains(origin) || isOpening && (origin == "null" || origin.isEmpty) else {
                throw Refusal.elsewhere
            }
        }
        guard !request.isMalformed, request.path.first == "app" || request.path.isEmpty else { throw Refusal.nothing }
        switch (isPost, request.path.dropFirst()) {
        case (false, ["style.css"]): return Self.style.answer(to: request)
        case (false, ["script.js"]): return Self.script.answer(to: request)
        case (false, ["icon.svg"]): return Self.icon.answer(to: request)
        case (true, ["open"]): return try await open(request)
        default: break
        }
        let path = Array(request.path.dropFirst())
        let session = try await session(of: request)
        if let forms = entrance.accounts, path.count == 1, let form = AccountForms.Form(rawValue: path[0]) {
            return try await answer(request, to: form, of: forms, session, isPost: isPost)
        }
        guard let session else {
            // Whoever follows a link comes to its screen after signing in.
            guard entrance.accounts != nil, !isPost, let address = address(of: request) else { throw Refusal.signedOut }
            return HTTPResponse(303, headers: [("Location", AccountFormPage.path(of: .signIn, next: address))])
        }
        if path.first == "images", path.count == 2, !isPost { return try await picture(path[1], request, session) }
        if path.first == "runs", path.count == 2, isPost { return try await receive(request, of: path[1], session) }
        if path.first == "runs", path.count >= 2 {
            guard let run = await sessions.run(path[1], in: session) else { throw Refusal.nothing }
            switch (isPost, path.dropFirst(2)) {
            case (false, []): return HTTPResponse(204)
            case (true, ["pictures"]): return try await receivePicture(request, run, session)
            case (true, ["files"]): return try await receiveFile(request, run, session)
            case (false, ["patches"]): return patches(request, of: run, session)
            default: throw Refusal.nothing
            }
        }
        return try await page(request, session, isPost: isPost)
    }

    private static let style = StaticText(AppStyle.content, type: "text/css")
    private static let script = StaticText(AppScript.content, type: "text/javascript")
    private static let icon = StaticText(PageIcon.content, type: PageIcon.mediaType)

    /// Bytes that a browser asks for again, and gets only when they have changed.
    private static func file(
        _ bytes: [UInt8], _ type: String, cache: String, _ request: HTTPRequest
    ) -> HTTPResponse {
        HTTPResponse(
            200,
            headers: [
                ("Content-Type", type), ("ETag", "\"\(EntityTag.digest(of: bytes))\""), ("Cache-Control", cache),
            ], body: bytes
        ).unlessKnown(to: request)
    }

    private static func page(_ status: Int, _ text: Text) -> HTTPResponse {
        let page = HTML("html", ["lang": "en"]) {
            HTML("head") {
                HTML("meta", ["charset": "utf-8"])
                HTML("title") { "Traveline" }
            }
            HTML("body") {
                HTML("p") { text.english }
                HTML("p", ["lang": "ko"]) { text.korean }
            }
        }
        return HTTPResponse(
            status, headers: [("Content-Type", "text/html; charset=utf-8")], body: Array(page.document(.html)))
    }

    private func cookie(of request: HTTPRequest) -> String? {
        for pair in (request.headers["cookie"] ?? "").split(separator: ";") {
            let parts = pair.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == origins.cookie { return String(parts[1]) }
        }
        return nil
    }

    /// Begins a session with a secret of one use.
    private func open(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try await form(of: request)
        guard case .ticket(let admit) = entrance, let secret = form.first(where: { $0.name == "secret" })?.value,
            let access = await admit(secret)
        else { throw Refusal.signedOut }
        return await begin(access)
    }

    /// Begins a session, and leads its browser to a screen.
    private func begin(_ access: BrowserSessions.Access, at address: ScreenAddress? = nil) async -> HTTPResponse {
        let session = await sessions.begin(access)
        let isEncrypted = origins.scheme == "https"
        return HTTPResponse(
            303,
            headers: [
                ("Location", (address ?? ScreenAddress(.home)).text),
                (
                    "Set-Cookie",
                    "\(origins.cookie)=\(session.cookie.text); Path=/; HttpOnly; SameSite=Lax\(isEncrypted ? "; Secure" : "")"
                ),
            ])
    }

    /// The session of a request, if it has not ended. One of an account goes on that another process has begun.
    private func session(of request: HTTPRequest) async throws -> BrowserSessions.Session? {
        guard let cookie = cookie(of: request).flatMap({ BrowserSessions.Cookie($0) }) else { return nil }
        do {
            if let session = sessions.session(cookie.id) {
                if try await session.isSignedIn() { return session }
                await sessions.end(session)
                return nil
            }
            guard let forms = entrance.accounts, let device = try await forms.accounts.device(withToken: cookie.id),
                await sessions.admits(device)
            else { return nil }
            let access = forms.access(device, language(of: request), request.client)
            return await sessions.begin(access, goingOn: cookie)
        } catch is TravelError {
            throw Refusal.unavailable
        }
    }

    /// The language that a browser asks for.
    private func language(of request: HTTPRequest) -> Language {
        Language(rawValue: PageRequest.language(of: request.headers, among: Language.allCases.map(\.tag))) ?? .english
    }

    // MARK: Accounts

    /// Answers a request for one of the forms for accounts.
    private func answer(
        _ request: HTTPRequest, to form: AccountForms.Form, of forms: AccountForms,
        _ session: BrowserSessions.Session?, isPost: Bool
    ) async throws -> HTTPResponse {
        let next = request.query.first { $0.name == "next" }?.value.flatMap { ScreenAddress($0) }
        if form == .password {
            guard session != nil else {
                return HTTPResponse(
                    303, headers: [("Location", AccountFormPage.path(of: .signIn, next: ScreenAddress(.settings)))])
            }
        } else if session != nil, !isPost {
            return HTTPResponse(303, headers: [("Location", (next ?? ScreenAddress(.home)).text)])
        }
        let language = await session?.language ?? language(of: request)
        let device = form == .password ? session?.access.device : nil
        guard
            let page = try await forms.page(
                form, in: language, next: next, token: device == nil ? nil : session?.token, user: device?.user)
        else { throw Refusal.nothing }
        guard isPost else { return Self.answer(200, page) }
        let fields: [(name: String, value: String)]
        if form == .password, let session {
            fields = try await action(request, session)
        } else {
            fields = try await self.form(of: request)
        }
        switch try await forms.submit(fields, of: page, device: device, client: request.client) {
        case .refused(let status, let page): return Self.answer(status, page)
        case .signedIn(let access):
            // The session begins anew: somebody else may know the cookie of the one before.
            if let session { await sessions.end(session) }
            return await begin(access, at: form == .password ? ScreenAddress(.settings) : next)
        }
    }

    private static func answer(_ status: Int, _ page: AccountFormPage) -> HTTPResponse {
        HTTPResponse(
            status, headers: [("Content-Type", "text/html; charset=utf-8"), ("Vary", "Accept-Language")],
            body: Array(page.document))
    }

    private func form(of request: HTTPRequest) async throws -> [(name: String, value: String)] {
        guard request.headers["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
        else {
            throw Refusal(status: 415, text: Text("Send a form.", "양식을 보내세요."))
        }
        return try FormCoding.pairs(in: await request.readBody(Self.smallBody))
    }

    /// The pairs of an action of this session.
    private func action(_ request: HTTPRequest, _ session: BrowserSessions.Session) async throws -> [(
        name: String, value: String
    )] {
        guard await sessions.allows(session) else { throw Refusal.tooMany }
        return try Self.checked(try await form(of: request), session)
    }

    private static func checked(
        _ form: [(name: String, value: String)], _ session: BrowserSessions.Session
    ) throws -> [(name: String, value: String)] {
        guard let token = form.first(where: { $0.name == "token" })?.value, Secret.areEqual(token, session.token) else {
            throw Refusal.elsewhere
        }
        return form.filter { $0.name != "token" }
    }

    /// The inputs of a form, with the controls behind the fields. Of several fields of one name, the last one counts: a box
    /// that may not be ticked has a field before it that says so.
    static func inputs(_ form: [(name: String, value: String)]) -> [PageInput] {
        var last: [String: Int] = [:]
        for (index, pair) in form.enumerated() { last[pair.name] = index }
        let inputs = form.enumerated().compactMap { index, pair -> PageInput? in
            guard pair.name != "number", pair.name != "page", let input = PageInput(name: pair.name, value: pair.value)
            else { return nil }
            if case .field(let name, _) = input, last[name] != index { return nil }
            return input
        }
        func isField(_ input: PageInput) -> Bool { if case .field = input { true } else { false } }
        return inputs.filter(isField) + inputs.filter { !isField($0) }
    }

    // MARK: With the script

    private func receive(
        _ request: HTTPRequest, of run: String, _ session: BrowserSessions.Session
    ) async throws -> HTTPResponse {
        let form = try Self.checked(try await form(of: request), session)
        let number = form.first { $0.name == "number" }.flatMap { Int($0.value) }
        // The run has what a page without the script has to restore.
        let inputs = Self.inputs(form).filter { !$0.isRestored }
        // All at once: a change between the main actor and others wakes a thread, which takes longer than the rest.
        try await MainActor.run {
            guard let run = sessions.run(run, in: session) else { throw Refusal.nothing }
            guard sessions.allows(session) else { throw Refusal.tooMany }
            run.receive(inputs, number: number)
        }
        return HTTPResponse(204)
    }

    /// Checks that a file comes from a page of the session, and returns what finds the values that the script sends with it.
    private func upload(
        _ request: HTTPRequest, _ session: BrowserSessions.Session
    ) async throws -> (_ name: String) -> String? {
        guard await sessions.allows(session) else { throw Refusal.tooMany }
        guard let token = request.headers["x-token"], Secret.areEqual(token, session.token) else {
            throw Refusal.elsewhere
        }
        return { name in request.query.first { $0.name == name }?.value }
    }

    /// Takes a picture that was chosen, dropped or pasted in an editor. What is wrong with it is said in the editor, beside
    /// its name.
    private func receivePicture(
        _ request: HTTPRequest, _ run: BrowserRun, _ session: BrowserSessions.Session
    ) async throws -> HTTPResponse {
        let value = try await upload(request, session)
        guard let screen = value("screen").flatMap({ Int($0) }), await run.hasScreen(screen) else {
            throw Refusal.nothing
        }
        let name = value("name") ?? ""
        let picture: StagedPicture
        // The script does not send what is too large, but says so.
        if value("size").map({ Int($0) ?? 0 > TripImage.maximumSize }) == true {
            picture = session.pictures.refuse(name: name, Self.tooLarge)
        } else {
            do {
                picture = try session.pictures.stage(try await request.readBody(TripImage.maximumSize), name: name)
            } catch HTTPRefusal.bodyTooLarge {
                picture = session.pictures.refuse(name: name, Self.tooLarge)
            } catch let error as TravelError {
                picture = session.pictures.refuse(name: name, error)
            }
        }
        guard await run.pick(picture, on: screen) else { throw Refusal.nothing }
        return HTTPResponse(session.pictures.isRefused(picture) ? 422 : 204)
    }

    private static let tooLarge = TravelError.invalid(.init(.image, .tooLarge(maximumBytes: TripImage.maximumSize)))

    /// Takes a photo or a track that was chosen or dropped for an import, which begins when the script has sent all of them.
    /// What is wrong with it is said when the import has ended.
    private func receiveFile(
        _ request: HTTPRequest, _ run: BrowserRun, _ session: BrowserSessions.Session
    ) async throws -> HTTPResponse {
        let value = try await upload(request, session)
        guard let batch = value("batch").flatMap({ Int($0) }) else { throw Refusal.nothing }
        let name = StagedPicture(name: value("name") ?? "").name
        var problem: Text?
        // The script does not send what is too large, but says so.
        if value("size").map({ Int($0) ?? 0 > PickedFile.maximumSize }) == true {
            problem = .fileTooLarge
        } else {
            do {
                let file = try session.pictures.keep(try await request.readBody(PickedFile.maximumSize), name: name)
                await run.keep(file, inBatch: batch)
            } catch HTTPRefusal.bodyTooLarge {
                problem = .fileTooLarge
            } catch TravelError.unavailable {
                problem = .noRoom
            }
        }
        guard let problem else { return HTTPResponse(204) }
        await run.keep(PickedFile(name: name, problem: problem), inBatch: batch)
        return HTTPResponse(422)
    }

    private func patches(
        _ request: HTTPRequest, of run: BrowserRun, _ session: BrowserSessions.Session
    ) -> HTTPResponse {
        let known = request.query.first { $0.name == "version" }?.value.flatMap { Int($0) } ?? 0
        return HTTPResponse(
            streaming: [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"),
            ], keepAlive: Array(":\n\n".utf8)
        ) { @MainActor stream in
            try await stream.write(Array(":\n\n".utf8))
            let number = run.beginStream()
            var version = known
            do {
                while let patch = await run.patch(after: version, on: number) {
                    version = patch.version
                    try await stream.write(Array("event: patch\ndata: ".utf8) + patch.json + Array("\n\n".utf8))
                }
            } catch {
                run.endStream(number)
                throw error
            }
            run.endStream(number)
            guard run.hasEnded else { return }
            if sessions.isStopped, !sessions.hasQuit { return }
            let event = sessions.hasQuit ? "quit" : "end"
            // What a request for the run would be answered.
            let status = sessions.session(session.id) == nil ? 401 : 404
            try await stream.write(Array("event: \(event)\ndata: \(status)\n\n".utf8))
        }
    }

    // MARK: Pages

    /// The screen that a request is for; `nil` for none.
    private func address(of request: HTTPRequest) -> ScreenAddress? {
        let query = request.query.map { "\($0.name.percentEncoded)=\(($0.value ?? "").percentEncoded)" }
            .joined(separator: "&")
        return ScreenAddress(path: request.path.isEmpty ? ["app"] : request.path, query: query)
    }

    /// The page of an address; after a `POST`, with what the form has changed.
    private func page(
        _ request: HTTPRequest, _ session: BrowserSessions.Session, isPost: Bool
    ) async throws -> HTTPResponse {
        guard let address = address(of: request) else { throw Refusal.nothing }
        guard isPost else { return try await page(at: address, [], [], request, session) }
        let (inputs, files, form) = try await wholeForm(request, session)
        guard let form else { return try await page(at: address, inputs, files, request, session) }
        return try await session.answer(to: form) { try await page(at: address, inputs, files, request, session) }
    }

    private func page(
        at address: ScreenAddress, _ inputs: [PageInput], _ files: [MultipartForm.File], _ request: HTTPRequest,
        _ session: BrowserSessions.Session
    ) async throws -> HTTPResponse {
        do {
            try await session.followLink(of: address)
        } catch is TravelError {
            throw Refusal.unavailable
        }
        let run = await sessions.beginRun(at: address, in: session)
        let patience = inputs.isEmpty ? patience : max(patience, Self.formPatience)
        if !inputs.isEmpty {
            await run.settle(within: patience)
            // A form that was begun before: first what it had, which may have to be read, then what was typed, and at last
            // what was pressed, once what that needs is there.
            let restored = inputs.filter(\.isRestored)
            if !restored.isEmpty {
                await run.receive(restored)
                await run.settle(within: patience)
                await run.receive(restored)
            }
            let controls = inputs.filter(\.isControl)
            await run.receive(inputs.filter { !$0.isRestored && !$0.isControl })
            if controls.contains(where: \.needsAnswer) { await run.settle(within: patience) }
            await run.receive(controls)
            await run.importFiles(PickedFiles(files.map(Self.pickedFile), into: address.screen.shownTrip))
        }
        let (document, _) = await run.page(within: patience)
        try request.reserveAnswer(document.count)
        return HTTPResponse(
            200, headers: [("Content-Type", "text/html; charset=utf-8")], body: Array(document))
    }

    private static func pickedFile(_ file: MultipartForm.File) -> PickedFile {
        let name = StagedPicture(name: file.fileName).name
        return file.bytes.count > PickedFile.maximumSize
            ? PickedFile(name: name, problem: .fileTooLarge) : PickedFile(name: name, bytes: Data(file.bytes))
    }

    /// The inputs of a form that was posted to a page, with a control for each of its pictures; its files to import; and the hash
    /// of all of it, if it names the page that it comes from.
    private func wholeForm(
        _ request: HTTPRequest, _ session: BrowserSessions.Session
    ) async throws -> (inputs: [PageInput], files: [MultipartForm.File], form: Int?) {
        let type = request.headers["content-type"] ?? ""
        guard type.lowercased().hasPrefix("multipart/form-data") else {
            let form = try await action(request, session)
            return (Self.inputs(form), [], Self.hash(form))
        }
        guard await sessions.allows(session) else { throw Refusal.tooMany }
        let form: MultipartForm
        do {
            form = try MultipartForm(try await request.readBody(Controls.largestForm), contentType: type)
        } catch is MultipartForm.Malformed {
            throw Refusal(status: 400, text: Text("This form cannot be read.", "읽을 수 없는 양식입니다."))
        }
        let pairs = try Self.checked(form.fields, session)
        let fields = Self.inputs(pairs)
        let imported = form.files.filter { $0.name == "import" }
        let pictures = form.files.filter { $0.name != "import" }.prefix(TimelineEntry.maximumPictureCount).map {
            file -> PageInput in
            let picture: StagedPicture
            do {
                picture = try session.pictures.stage(Array(file.bytes), name: file.fileName)
            } catch {
                picture = session.pictures.refuse(name: file.fileName, error as? TravelError ?? Self.tooLarge)
            }
            return .control(.init("picked", picture.path))
        }
        // Of the files, their sizes tell which form it is.
        let files = form.files.map { (name: $0.fileName, value: "\($0.bytes.count)") }
        return (
            fields.filter { !$0.isControl } + pictures + fields.filter(\.isControl), imported,
            Self.hash(pairs + (pairs.contains { $0.name == "page" } ? files : []))
        )
    }

    private static func hash(_ form: [(name: String, value: String)]) -> Int? {
        guard form.contains(where: { $0.name == "page" && !$0.value.isEmpty }) else { return nil }
        var hasher = Hasher()
        for (name, value) in form {
            hasher.combine(name)
            hasher.combine(value)
        }
        return hasher.finalize()
    }

    private func picture(
        _ id: String, _ request: HTTPRequest, _ session: BrowserSessions.Session
    ) async throws -> HTTPResponse {
        guard let id = TripImage.ID(id) else { throw Refusal.nothing }
        let size = try request.query.first { $0.name == "size" }?.value.map { name in
            guard let size = PictureSize(rawValue: name) else { throw Refusal.nothing }
            return size
        }
        if let (type, bytes) = session.pictures.picture(id) {
            try request.reserveAnswer(bytes.count)
            return HTTPResponse(200, headers: [("Content-Type", type)], body: Array(bytes))
        }
        do {
            let key = request.query.first { $0.name == "key" }?.value.flatMap { LinkKey($0) }
            guard let (type, bytes) = try await session.access.picture(id, size, key) else { throw Refusal.nothing }
            try request.reserveAnswer(bytes.count)
            return Self.file(Array(bytes), type, cache: "private, no-cache", request)
        } catch is TravelError {
            throw Refusal.nothing
        }
    }
}

extension Screen {
    /// The trip that it shows, to which a form on it adds files.
    fileprivate var shownTrip: Trip.ID? { if case .trip(let id, _) = self { id } else { nil } }
}

extension Text {
    fileprivate static let fileTooLarge = Text(
        "the file is larger than \(PickedFile.maximumSize >> 20) MiB; pack it by gzip, or split it",
        "파일이 \(PickedFile.maximumSize >> 20)MiB보다 큽니다. gzip으로 압축하거나 나누세요")
    fileprivate static let noRoom = Text(
        "there is no room for more files: import fewer at once", "더 받을 자리가 없습니다. 더 적게 나누어 가져오세요")
}

/// The form of a browser (`application/x-www-form-urlencoded`, URL Standard, section 5).
enum FormCoding {
    static func pairs(in bytes: [UInt8]) -> [(name: String, value: String)] {
        bytes.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (text(parts[0]), parts.count == 2 ? text(parts[1]) : "")
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                decoded.append(0x20)
            } else if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
#endif
