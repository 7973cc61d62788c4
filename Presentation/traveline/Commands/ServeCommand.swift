import Foundation
import TravelDataFiles
import TravelDataSQLite
import TravelDataShared
import TravelDomain
import TravelPages
import TravelPresentation
import TravelSamples
import TravelTexts

#if Server
import TravelBrowser
import TravelServer
#endif

/// `traveline serve`: a server for devices and browsers.
struct ServeCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "serve",
        summary: Text("serves the trips of a database to devices and browsers", "데이터베이스의 여행을 기기와 브라우저에 제공하기"),
        usage: [
            "serve [--listen ADDRESS:PORT] [--database PLACE] [--certificate FILE --key FILE | --behind-proxy] "
                + "[--public-address URL] [--sign-up POLICY] [--max-trips N] [--max-pictures N] [--max-mebibytes N] "
                + TileOptions.usage
        ],
        notes: [
            Text(
                "Devices connect to it with 'traveline connect'. Browsers show its pages to everyone, and the app at /app to "
                    + "those with an account. People sign up with a nickname and a password, and see and change only what "
                    + "their account permits.",
                "기기는 'traveline connect'로 연결합니다. 브라우저에서는 누구나 페이지를 보고, 계정이 있으면 /app에서 앱을 씁니다. 사람들은 닉네임과 비밀번호로 "
                    + "가입하며, 보고 바꿀 수 있는 것은 누구인지에 따라 정해집니다."),
            Text(
                "With TLS or behind a proxy, the app needs --public-address, since it refuses what comes from other sites.",
                "TLS나 프록시를 쓸 때 앱은 다른 사이트의 요청을 거절하므로 --public-address가 필요합니다."),
            Text(
                "Beyond this machine it needs TLS: a certificate with its key, or a proxy that terminates TLS. On "
                    + "SIGTERM or Ctrl-C, it answers the requests that it has received, and exits.",
                "이 기기 밖으로는 TLS가 필요합니다: 인증서와 키, 또는 그것을 가진 앞단의 프록시. SIGTERM이나 Ctrl-C를 받으면 받은 요청에 답한 뒤 끝납니다."),
        ],
        options: [
            OptionHelp(
                "--listen", "ADDRESS:PORT", Text("the address, 127.0.0.1:8080 by default", "주소, 기본은 127.0.0.1:8080")),
            OptionHelp(
                "--certificate", "FILE", completes: .files,
                Text("the certificate chain for TLS, in PEM", "TLS 인증서 체인, PEM")),
            OptionHelp(
                "--key", "FILE", completes: .files, Text("the private key of the certificate, in PEM", "인증서의 개인 키, PEM")
            ),
            OptionHelp(
                "--behind-proxy",
                Text("trust X-Forwarded-For, and leave TLS to the proxy", "X-Forwarded-For를 믿고 TLS는 프록시에 맡기기")),
            OptionHelp(
                "--public-address", "URL",
                Text(
                    "where browsers find the server, such as https://trips.example.org; links to its pages then show a "
                        + "picture elsewhere, and the app opens there",
                    "브라우저가 서버를 찾는 주소, 예: https://trips.example.org. 공유한 링크에 사진이 보이고 앱이 열립니다")),
            OptionHelp(
                "--sign-up", "POLICY", completes: .cases(of: SignUp.Policy.self),
                Text("who may create an account; open by default", "가입할 수 있는 사람, 기본 open")),
            OptionHelp("--max-trips", "N", Text("the trips of an account, 5000 by default", "계정마다 여행 수, 기본 5000")),
            OptionHelp(
                "--max-pictures", "N", Text("the pictures of an account, 20000 by default", "계정마다 사진 수, 기본 20000")),
            OptionHelp(
                "--max-mebibytes", "N",
                Text("the size of the pictures of an account, 20480 by default", "계정마다 사진 크기의 합, 기본 20480")),
        ] + TileOptions.help,
        examples: [
            (
                "serve",
                Text(
                    "serve your own database on this machine, at http://127.0.0.1:8080",
                    "내 데이터베이스를 이 컴퓨터에서 제공, http://127.0.0.1:8080")
            ),
            (
                "serve --listen 0.0.0.0:443 --certificate chain.pem --key key.pem",
                Text("serve other machines, with TLS", "모두에게 TLS로 제공")
            ),
            (
                "serve --sign-up invitation",
                Text("let people in who have a code of 'moderate invite'", "'moderate invite' 코드가 있는 사람만 가입")
            ),
        ])

    let listen: (address: String, port: UInt16)
    let certificate: String?
    let key: String?
    let isBehindProxy: Bool
    let publicAddress: SiteOrigin?
    let signUp: SignUp.Policy?
    let tiles: TileOptions
    let maximum: (trips: Int?, pictures: Int?, mebibytes: Int?)
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        try Self.rejectWords(arguments)
        listen = try arguments.value("--listen", Self.address) ?? ("127.0.0.1", 8080)
        certificate = arguments.value("--certificate")
        key = arguments.value("--key")
        isBehindProxy = arguments.has("--behind-proxy")
        publicAddress = try arguments.value("--public-address", Self.publicAddress)
        signUp = try arguments.identifier("--sign-up", "policy", "방침")
        tiles = try TileOptions(arguments)
        maximum = (
            try arguments.positiveNumber("--max-trips"), try arguments.positiveNumber("--max-pictures"),
            try arguments.positiveNumber("--max-mebibytes")
        )
        store = try StoreOptions(arguments)
        if (certificate == nil) != (key == nil) {
            throw UsageError("--certificate and --key belong together", "--certificate와 --key는 함께 씁니다")
        }
        if store.account != nil {
            throw UsageError("a server acts for all accounts: omit --as", "서버는 모두를 위해 일합니다. --as를 빼세요")
        }
    }

    /// Reads `127.0.0.1:8080`, `[::1]:8080`, `:8080` or `8080`.
    static func address(_ text: String) throws -> (address: String, port: UInt16) {
        let colon = text.lastIndex(of: ":")
        let port = colon.map { text[text.index(after: $0)...] } ?? text[...]
        var address = colon.map { String(text[..<$0]) } ?? ""
        if address.hasPrefix("["), address.hasSuffix("]") { address = String(address.dropFirst().dropLast()) }
        guard let port = UInt16(port) else {
            throw UsageError(
                "--listen needs an address and a port, such as 127.0.0.1:8080",
                "--listen에는 127.0.0.1:8080처럼 주소와 포트가 필요합니다")
        }
        return (address.isEmpty ? "127.0.0.1" : address, port)
    }

    /// Reads the origin of a server for browsers, such as `https://trips.example.org`.
    static func publicAddress(_ text: String) throws -> SiteOrigin {
        guard let origin = SiteOrigin(text) else {
            throw UsageError(
                "--public-address needs an https URL without a path, such as https://trips.example.org",
                "--public-address에는 https://trips.example.org처럼 경로 없는 https URL이 필요합니다")
        }
        return origin
    }

    func run() async throws {
        #if Server
        try await serve()
        #else
        throw CommandError.withoutServer
        #endif
    }
}

extension CommandError {
    /// The error of a command that needs the server, in a program without it.
    static let withoutServer = CommandError(
        "this traveline was built without the server; build it with: swift build --traits Server (needs "
            + "libmicrohttpd, libsodium and zlib)",
        "이 traveline은 서버 없이 빌드되었습니다. 다음과 같이 빌드하세요: swift build --traits Server (libmicrohttpd, libsodium, zlib "
            + "필요)", .unavailable)
}

#if Server
extension ServeCommand {
    private func serve() async throws {
        let language = store.outputLanguage
        let (location, isNamed) = try store.location()
        try await FileError.naming(location.description) {
            let open = try await OpenStore.open(location, isNamed: isNamed, in: language)
            try await closing(open.close) {
                var configuration = ServerConfiguration(host: listen.address, port: Int(listen.port))
                configuration.isBehindProxy = isBehindProxy
                if let signUp { configuration.signUp = signUp }
                if let trips = maximum.trips { configuration.quota.trips = trips }
                if let pictures = maximum.pictures { configuration.quota.pictures = pictures }
                if let mebibytes = maximum.mebibytes {
                    configuration.quota.bytes = min(mebibytes, 1 << 40) << 20
                }
                if let certificate, let key {
                    configuration.tls = .init(
                        certificate: try Self.text(of: certificate), key: try Self.text(of: key))
                }
                let stores = ServerStores(
                    trips: open.trips, accounts: open.accounts, oversight: open.trips,
                    changeCount: { open.file?.changeCount() })
                let pages = WebPages(at: publicAddress, app: hasApp ? HostedApp.path : nil)
                let server = try TravelHTTPServer(
                    configuration, stores: stores, pages: pages, review: MetadataReview(),
                    log: { Standard.error.write($0.json + "\n") })
                let app = await HostedApp(
                    server.browserAccounts, tiles: tiles.server, readImage: { try await ImageFile(typed: $0).picked() },
                    importFiles: { useCases, language, files in
                        let importPhotos = useCases.importPhotos(
                            places: KoreanPlaces(), wording: LocalizedTrackWording(in: language),
                            regions: KoreanProvinces.shared, zones: TimeZoneMap.shared)
                        return try await importPhotos.trip(of: files)
                    })
                try await run(server, app, location, in: language)
            }
        }
    }

    /// Whether it is known where browsers find the app.
    private var hasApp: Bool { publicAddress != nil || certificate == nil && !isBehindProxy }

    /// Serves until a signal asks the process to end, and then answers what has been received.
    private func run(
        _ server: TravelHTTPServer, _ app: HostedApp, _ location: StoreLocation, in language: Language
    ) async throws {
        let scheme = certificate == nil ? "http" : "https"
        do {
            try await Signal.cancelling(orAbandoning: { false }) {
                if hasApp { server.connectApp(below: String(HostedApp.path.dropFirst()), app.answer) }
                let (host, port) = try server.start()
                if hasApp {
                    app.start(
                        at: publicAddress.map { [$0.text] }
                            ?? ["127.0.0.1", "localhost", "[::1]"].map { "http://\($0):\(port)" })
                }
                let address = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
                try Standard.write(
                    language.say(
                        "\(location) is served at \(address); Ctrl-C ends it\n",
                        "\(address)에서 \(location)을(를) 제공합니다. Ctrl-C로 끝냅니다\n"))
                // Until the task is cancelled.
                try await Task.sleep(for: .seconds(Int64.max / 4))
            }
        } catch is Signal.Interruption {
            await app.stop()
            await server.drain()
        } catch let error as ServerStartError {
            throw CommandError(error.description, error.description, .unavailable)
        }
    }

    private static func text(of path: String) throws -> String {
        do {
            return try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        } catch {
            throw FileError(path, "the file cannot be read as PEM", "PEM 파일로 읽을 수 없습니다", .noInput)
        }
    }
}

extension WebPages {
    /// Pages whose pictures this program strips of metadata and converts.
    init(at origin: SiteOrigin? = nil, app: String? = nil) {
        let smaller = SmallerPictures(by: App.pictures)
        self.init(
            at: origin, app: app,
            picture: { image in SharedPicture(image).map { ($0.mediaType, $0.bytes) } },
            conversion: { image, size in smaller.conversion(of: image, longestSide: size?.longestSide) })
    }
}

/// Refuses pictures that would show everyone where and when they were taken: those from which it cannot be removed as they
/// are. Devices convert before they send; the server decodes nothing.
private struct MetadataReview: ImageReview {
    func review(_ image: TripImage) throws(TravelError) {
        guard let shared = SharedPicture(image), ImageFormat(of: shared.bytes) == image.format else {
            throw .invalid(.init(.image, .keepsMetadata))
        }
    }
}
#endif
