public import Foundation

/// The addresses of a site with a list of trips and a page for each of them.
///
/// ```swift
/// PageSite().trip(id)                    // "/trips/6f1c…"
/// PageSite(base: "/log").picture(cover, .small)    // "/log/images/41c6…?size=small"
/// ```
public struct PageSite: Hashable, Sendable {
    /// The path before all addresses, without a slash at its end; empty for a site of its own.
    public let base: String
    /// Where the site is on the web; `nil` where that is not known.
    public let origin: SiteOrigin?
    /// The path of the app for those who have an account, to which pages lead; `nil` for a site without one. Its addresses
    /// of trips are like those of the site.
    public let app: String?

    /// - Parameters:
    ///   - base: The path before all addresses, without a slash at its end.
    ///   - origin: Where the site is on the web. Without it, other sites show a link to a page without its picture, because
    ///     they need whole addresses.
    ///   - app: The path of the app, without a slash at its end; `nil` for a site without one.
    public init(base: String = "", origin: SiteOrigin? = nil, app: String? = nil) {
        self.base = base
        self.origin = origin
        self.app = app
    }

    /// The address of the list of trips.
    public var list: String { base + "/" }
    /// The address of the icon.
    public var icon: String { base + "/icon.svg" }
    /// The address of the page of a trip; with the key of its link, the one to share.
    public func trip(_ id: Trip.ID, key: LinkKey? = nil) -> String { "\(base)/trips/\(id)\(Self.query(key))" }
    /// The address of a picture, by default in its own size; one of a trip that is shared by link needs the key of the link.
    public func picture(_ id: TripImage.ID, _ size: PictureSize? = nil, key: LinkKey? = nil) -> String {
        "\(base)/images/\(id)\(Self.query(key, size))"
    }

    /// The address of the map of a trip as a picture in PNG, for previews of links to its page; one of a trip that is shared by
    /// link needs the key of the link.
    public func map(_ id: Trip.ID, key: LinkKey? = nil) -> String { "\(base)/trips/\(id)/map.png\(Self.query(key))" }

    private static func query(_ key: LinkKey?, _ size: PictureSize? = nil) -> String {
        switch (size?.rawValue, key?.text) {
        case (let size?, let key?): "?size=\(size)&key=\(key)"
        case (let size?, nil): "?size=\(size)"
        case (nil, let key?): "?key=\(key)"
        case (nil, nil): ""
        }
    }

    /// The value of the header `Content-Security-Policy` (Content Security Policy Level 3) for every page of a site: its
    /// one style by its digest, pictures and forms of the site, and nothing else, neither script nor frame.
    public static let contentSecurityPolicy = "\(policy(images: "'self'", forms: "'self'")); frame-ancestors 'none'"

    /// The policy without what only a header can say.
    static func policy(images: String, forms: String) -> String {
        "default-src 'none'; img-src \(images); style-src 'sha256-\(PageStyle.digest)'; "
            + "base-uri 'none'; form-action \(forms)"
    }
}

/// The origin of a site on the web (RFC 6454), such as `https://trips.example.org`.
///
/// ```swift
/// SiteOrigin("https://Trips.example.org/")?.text    // "https://trips.example.org"
/// SiteOrigin("http://trips.example.org")            // nil: links to it would not be encrypted
/// ```
public struct SiteOrigin: Hashable, Sendable {
    /// Scheme, host and port in lowercase, without the port of the scheme and without a slash at the end.
    public let text: String

    /// Creates the origin of an `https` URL without user, path, query and fragment, or of an `http` URL of this machine;
    /// `nil` for any other text.
    public init?(_ text: String) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.encodedHost?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil, ["", "/"].contains(parts.path),
            parts.port.map({ (1...65_535).contains($0) }) != false
        else { return nil }
        let isHere = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
        guard scheme == "https" || scheme == "http" && isHere else { return nil }
        let port = parts.port == (scheme == "https" ? 443 : 80) ? nil : parts.port
        self.text = "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")"
    }
}

/// What other sites show of a page where someone links to it, by Open Graph (ogp.me), which Twitter cards fall back on.
struct PagePreview {
    /// The type of Open Graph, `website` or `article`.
    let kind: String
    let title: String
    let description: String
    /// The path of the page with its query; `nil` for an address that is not for everyone.
    let address: String?
    /// Its pictures, the one that represents it best first.
    var pictures: [Picture] = []

    struct Picture {
        /// The path with its query.
        let address: String
        /// What it shows.
        let text: String
        /// What is known before it is loaded, so that the first who shares a link sees it.
        var file: (type: String, width: Int, height: Int)?
    }

    func metadata(in language: Language, on site: PageSite) -> [HTML.Attributes] {
        let origin = site.origin?.text
        var metadata: [HTML.Attributes] = [
            ["name": "description", "content": description], ["property": "og:type", "content": kind],
            ["property": "og:site_name", "content": "Traveline"], ["property": "og:title", "content": title],
            ["property": "og:description", "content": description],
            ["property": "og:locale", "content": language == .korean ? "ko_KR" : "en_US"],
        ]
        if address == nil { metadata.append(["name": "robots", "content": "noindex"]) }
        if let origin, let address { metadata.append(["property": "og:url", "content": origin + address]) }
        guard let origin, !pictures.isEmpty else {
            return metadata + [["name": "twitter:card", "content": "summary"]]
        }
        for picture in pictures {
            metadata.append(["property": "og:image", "content": origin + picture.address])
            if let file = picture.file {
                metadata += [
                    ["property": "og:image:type", "content": file.type],
                    ["property": "og:image:width", "content": "\(file.width)"],
                    ["property": "og:image:height", "content": "\(file.height)"],
                ]
            }
            metadata.append(["property": "og:image:alt", "content": picture.text])
        }
        return metadata + [["name": "twitter:card", "content": "summary_large_image"]]
    }
}

/// The frame of all pages: head, style and policy.
///
/// ```swift
/// let page = PageFrame(titled: "About", in: .english, on: PageSite()).data {
///     HTML("h1") { "About" }
/// }
/// ```
public struct PageFrame: Sendable {
    private let title: String
    private let language: Language
    private let site: PageSite?
    private let preview: PagePreview?

    /// - Parameters:
    ///   - title: The title of the document.
    ///   - language: The language of its texts.
    ///   - site: The site, of which the page may show pictures and send forms; `nil` for a file that belongs to none, which
    ///     contains its pictures.
    public init(titled title: String, in language: Language, on site: PageSite?) {
        self.init(titled: title, in: language, on: site, preview: nil)
    }

    /// `preview` is for a page of a site; a file has none.
    init(titled title: String, in language: Language, on site: PageSite?, preview: PagePreview?) {
        self.title = title
        self.language = language
        self.site = site
        self.preview = preview
    }

    /// Returns the document with `body`, in UTF-8.
    public func data(@HTML.Builder _ body: () -> HTML) -> Data {
        let body = body()
        return HTML("html", ["lang": language.tag, "xmlns": "http://www.w3.org/1999/xhtml"]) {
            HTML.line
            head
            HTML.line
            HTML("body") {
                HTML.line
                body
                HTML.line
            }
            HTML.line
        }.document(.html)
    }

    private var head: HTML {
        let policy =
            site == nil
            ? PageSite.policy(images: "data:", forms: "'none'") : PageSite.policy(images: "'self'", forms: "'self'")
        var metadata: [HTML.Attributes] = [
            ["charset": "utf-8"], ["name": "viewport", "content": "width=device-width, initial-scale=1"],
            ["http-equiv": "Content-Security-Policy", "content": policy],
            ["name": "color-scheme", "content": "light dark"], ["name": "generator", "content": "traveline"],
        ]
        if let site, let preview { metadata += preview.metadata(in: language, on: site) }
        return HTML("head") {
            for attributes in metadata {
                HTML.line
                HTML("meta", attributes)
            }
            HTML.line
            HTML("title") { title }
            HTML.line
            if let site {
                HTML("link", ["rel": "icon", "href": site.icon, "type": PageIcon.mediaType])
                HTML.line
            }
            HTML.style(PageStyle.content)
            HTML.line
        }
    }
}
