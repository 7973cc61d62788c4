#if Server
public import Foundation
public import TravelDomain
public import TravelPages
internal import TravelTexts

/// The pages of `TravelPages`, in each of its languages: the list of trips with a search form, and a page for each trip.
///
/// ```swift
/// let smaller = SmallerPictures(by: PictureConverter())
/// let pages = WebPages(
///     picture: { image in SharedPicture(image).map { ($0.mediaType, $0.bytes) } },
///     conversion: { image, size in smaller.conversion(of: image, longestSide: size?.longestSide) })
/// ```
public struct WebPages: TripPages {
    private let site: PageSite
    private let shared: @Sendable (TripImage) -> (mediaType: String, bytes: Data)?
    private let conversion: @Sendable (TripImage, PictureSize?) -> (@Sendable () async -> Data?)?
    private let maps = KeptMaps(limit: 16 << 20)

    /// - Parameters:
    ///   - origin: Where the pages are on the web, which other sites need to show a link to them with a picture; by
    ///     default, it is not known. What a request names as its host is no origin: everyone can write it.
    ///   - app: The path of the app in browsers, to which pages lead; by default, there is none.
    ///   - picture: Returns a picture without metadata; `nil` when it cannot be shown. `SharedPicture` of `TravelDataFiles`
    ///     makes it.
    ///   - conversion: Returns what makes a picture smaller (``TripPages/conversion(of:to:)``); by default, nothing does.
    public init(
        at origin: SiteOrigin? = nil, app: String? = nil,
        picture: @escaping @Sendable (TripImage) -> (mediaType: String, bytes: Data)?,
        conversion: @escaping @Sendable (TripImage, PictureSize?) -> (@Sendable () async -> Data?)? = { _, _ in nil }
    ) {
        site = PageSite(origin: origin, app: app)
        shared = picture
        self.conversion = conversion
    }

    public var languages: [String] { Language.allCases.map(\.tag) }
    public var contentSecurityPolicy: String { PageSite.contentSecurityPolicy }
    /// The style is in each page, and the policy names its digest.
    public var style: Data? { nil }
    public var icon: Data? { Data(PageIcon.content.utf8) }

    public func search(_ query: String) -> (criteria: TripCriteria, cursor: TripCursor?)? {
        TripListQuery(query).map { ($0.criteria, $0.cursor) }
    }

    public func list(_ page: TripPage, query: String, language: String) -> Data {
        TripListPage(language: Self.language(language), on: site)
            .data(for: page, TripListQuery(query) ?? TripListQuery())
    }

    public func trip(_ details: TripDetails, language: String) -> Data {
        let writer = PageWriter(language: Self.language(language))
        // The parts are those of one stored trip.
        guard let trip = try? details.recorded else { return writer.notFound(on: site) }
        return writer.data(for: trip, on: site)
    }

    public func map(of details: TripDetails) -> Data? {
        guard let trip = try? details.recorded, let picture = MapPicture(of: trip) else { return nil }
        return maps.map(KeptMaps.Key(trip: trip.id, appearance: picture.appearance)) {
            PNG.data(of: picture.pixels(), width: MapPicture.width, height: MapPicture.height)
        }
    }

    public func notFound(language: String) -> Data { PageWriter(language: Self.language(language)).notFound(on: site) }

    public func picture(_ image: TripImage) -> (mediaType: String, bytes: Data)? { shared(image) }
    public func conversion(of image: TripImage, to size: PictureSize?) -> (@Sendable () async -> Data?)? {
        conversion(image, size)
    }

    private static func language(_ tag: String) -> Language { Language(rawValue: tag) ?? .english }
}
#endif
