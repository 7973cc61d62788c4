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

    public init(base: String = "") {
        self.base = base
    }

    /// The address of the list of trips.
    public var list: String { base + "/" }
    /// The address of the page of a trip; with the key of its link, the one to share.
    public func trip(_ id: Trip.ID, key: LinkKey? = nil) -> String { "\(base)/trips/\(id)\(Self.query(key))" }
    /// The address of a picture, by default in its own size; one of a trip that is shared by link needs the key of the link.
    public func picture(_ id: TripImage.ID, _ size: PictureSize? = nil, key: LinkKey? = nil) -> String {
        "\(base)/images/\(id)\(Self.query(key, size))"
    }

    private static func query(_ key: LinkKey?, _ size: PictureSize? = nil) -> String {
        let parts = [size.map { "size=\($0)" }, key.map { "key=\($0.text)" }].compactMap(\.self)
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
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

    /// - Parameters:
    ///   - title: The title of the document.
    ///   - language: The language of its texts.
    ///   - site: The site, of which the page may show pictures and send forms; `nil` for a file that belongs to none, which
    ///     contains its pictures.
    public init(titled title: String, in language: Language, on site: PageSite?) {
        self.title = title
        self.language = language
        self.site = site
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
        let metadata: [HTML.Attributes] = [
            ["charset": "utf-8"], ["name": "viewport", "content": "width=device-width, initial-scale=1"],
            ["http-equiv": "Content-Security-Policy", "content": policy],
            ["name": "color-scheme", "content": "light dark"], ["name": "generator", "content": "traveline"],
        ]
        return HTML("head") {
            for attributes in metadata {
                HTML.line
                HTML("meta", attributes)
            }
            HTML.line
            HTML("title") { title }
            HTML.line
            HTML.style(PageStyle.content)
            HTML.line
        }
    }
}
