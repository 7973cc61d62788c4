public import Foundation
public import TravelDomain
internal import TravelJSON

/// The address of a server, such as `https://trips.example`.
///
/// ```swift
/// try ServerAddress("https://trips.example/log")
/// try ServerAddress("http://localhost:8080")      // loopback needs no encryption
/// try ServerAddress("http://trips.example")       // throws TravelError.unavailable, with the cause notSecure
/// ```
public struct ServerAddress: Hashable, Sendable {
    /// The URL, without a slash at its end.
    public let url: URL

    /// Creates an address from an `https` or `http` URL without user, password, query and fragment. A path is kept, as
    /// for a server behind a proxy.
    ///
    /// With `allowsPlainText`, `http` is accepted for other hosts than this one: everyone on the way reads passwords and
    /// tokens then.
    ///
    /// - Throws: `TravelError.unavailable` with the cause `invalidAddress` for any other text, and with `notSecure` for
    ///   `http` to another host.
    public init(_ text: String, allowsPlainText: Bool = false) throws(TravelError) {
        let invalid = TravelError.Outage(
            "This is not a server address such as https://trips.example.", cause: .invalidAddress,
            canRetry: false)
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), let host = parts.host,
            !host.isEmpty, parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            ["http", "https"].contains(scheme)
        else { throw .unavailable(invalid) }
        parts.scheme = scheme
        while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
        guard let url = parts.url else { throw .unavailable(invalid) }
        guard scheme == "https" || allowsPlainText || Self.isLoopback(host) else {
            throw .unavailable(
                .init(
                    "The connection to this server would not be encrypted: use https.", cause: .notSecure,
                    canRetry: false))
        }
        self.url = url
    }

    private static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "::1", "[::1]"].contains(host.lowercased()) { return true }
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return bytes.count == 4 && bytes[0] == 127 && !bytes.contains(nil)
    }

    /// The address of the page that a server shows of a trip to everyone.
    ///
    /// `key` is that of a trip that is shared by link.
    public func page(of trip: Trip.ID, key: LinkKey? = nil) -> URL {
        let page = url.appending(path: String(Route.tripPage.target(trip.description).dropFirst()))
        return key.map { page.appending(queryItems: [URLQueryItem(name: "key", value: $0.text)]) } ?? page
    }

    /// The URL of a path, and of a query if it is not empty, both percent-encoded already.
    func url(_ path: String, query: String = "") -> URL? {
        URL(string: url.absoluteString + path + (query.isEmpty ? "" : "?\(query)"))
    }
}
