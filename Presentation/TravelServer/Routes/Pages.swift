#if Server
import Foundation
internal import TravelDomain
internal import TravelJSON

/// What a request for a page has in common with others.
package enum PageRequest {
    /// The language of a request with those headers: of those that exist, the one that the reader prefers (RFC 9110,
    /// section 12.5.4).
    package static func language(of headers: HTTPHeaders, among languages: [String]) -> String {
        // The order of the header breaks ties.
        var best: (language: String, weight: Double)?
        for (tag, weight) in headers.weights("accept-language") where weight > best?.weight ?? 0 {
            if let language = languages.first(where: { tag == $0 || tag.hasPrefix("\($0)-") }) {
                best = (language, weight)
            }
        }
        return best?.language ?? languages.first ?? "en"
    }

    static func response(_ page: Data, _ language: String, _ pages: any TripPages) -> HTTPResponse {
        HTTPResponse(
            200,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Content-Language", language),
                ("Content-Security-Policy", pages.contentSecurityPolicy), ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Opener-Policy", "same-origin"), ("Vary", "Accept-Language, Accept-Encoding"),
            ], body: Array(page))
    }
}

extension Call {
    func home() async throws -> HTTPResponse {
        guard let pages = application.pages else { throw RequestError.nothingHere }
        let query = request.query.map { "\($0.name.percentEncoded)=\(($0.value ?? "").percentEncoded)" }
            .joined(separator: "&")
        guard let (criteria, cursor) = pages.search(query) else {
            throw RequestError(.malformed, 400, "The search has an unknown value.")
        }
        guard criteria.likedBy == nil else {
            throw RequestError(.malformed, 400, "What someone likes is shown to nobody else.")
        }
        let page = try await stores.trips.search(TripQuery(criteria, viewer: nil, after: cursor))
        return try fresh(page: pages.list(page, query: query, language: language(pages)), pages)
    }

    func tripPage() async throws -> HTTPResponse {
        guard let pages = application.pages else { throw RequestError.nothingHere }
        let details = try await trips.details(of: id(), viewer: nil)
        return try fresh(
            page: pages.trip(details, language: language(pages)), pages,
            isPublic: details.trip.content.audience == .everyone)
    }

    func mapOfPage() async throws -> HTTPResponse {
        guard let pages = application.pages else { throw RequestError.nothingHere }
        let details = try await trips.details(of: id(), viewer: nil)
        let map = try await application.drawings.inTurn(for: network) { pages.map(of: details) }
        guard let map else { throw RequestError.nothingHere }
        let isPublic = details.trip.content.audience == .everyone
        var response = try part(
            of: map, type: "image/png", cache: isPublic ? "public, max-age=3600" : "private, no-cache")
        if !isPublic { response.headers.append(("X-Robots-Tag", "noindex")) }
        return response
    }

    func pictureOfPage() async throws -> HTTPResponse {
        guard application.pages != nil else { throw RequestError.nothingHere }
        let size = try value("size").map { name in
            guard let size = PictureSize(rawValue: name) else {
                throw RequestError(.malformed, 400, "The size of a picture is small or middle.")
            }
            return size
        }
        // Without a key, everyone sees it.
        return try await picture(in: size, cache: key == nil ? "public, max-age=3600" : "private, no-cache")
    }

    func style() throws -> HTTPResponse {
        guard let style = application.pages?.style else { throw RequestError.nothingHere }
        return try part(of: style, type: "text/css; charset=utf-8", cache: "public, max-age=3600")
    }

    func icon() throws -> HTTPResponse {
        guard let icon = application.pages?.icon else { throw RequestError.nothingHere }
        return try part(of: icon, type: "image/svg+xml", cache: "public, max-age=86400")
    }

    /// Leads browsers that ask for an icon without having seen a page, as for a picture, to the one that there is.
    func favicon() throws -> HTTPResponse {
        guard application.pages?.icon != nil else { throw RequestError.nothingHere }
        return HTTPResponse(
            308, headers: [("Location", Route.icon.template), ("Cache-Control", "public, max-age=86400")])
    }

    private func language(_ pages: any TripPages) -> String {
        PageRequest.language(of: request.headers, among: pages.languages)
    }

    /// A page that a browser asks for again, and gets only when it has changed.
    private func fresh(page: Data, _ pages: any TripPages, isPublic: Bool = true) throws -> HTTPResponse {
        try request.reserveAnswer(page.count)
        var response = PageRequest.response(page, language(pages), pages)
        response.headers += [
            ("ETag", "\"\(EntityTag.digest(of: Array(page)))\""),
            ("Cache-Control", isPublic ? "public, no-cache" : "private, no-cache"),
        ]
        if !isPublic { response.headers.append(("X-Robots-Tag", "noindex")) }
        return response
    }
}
#endif
