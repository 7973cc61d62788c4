/// The title, text and place of an imported entry.
package struct ImportedEntry {
    /// The title of the entry.
    package let title: Title
    /// The text of the entry.
    package let text: EntryText
    /// The place of the entry.
    package let place: Place

    /// The maximum distance in metres at which a known place provides the title.
    package static let nearby = SearchPlaces.nearby

    /// Creates the entry of `moment`, with the nearest known place, if there is one.
    ///
    /// The title is the name of the mark, or else that of a known place ``nearby``, or else that of `wording`. The text
    /// is the note of the mark, or else that of `wording`.
    package init(_ moment: JourneyMoment, near known: KnownPlace?, wording: some TrackWording) throws {
        let known = known.flatMap { $0.coordinate.distance(to: moment.coordinate) <= Self.nearby ? $0 : nil }
        let own = moment.waypoint?.name.flatMap { TextRules.shortened($0, to: 100, lines: .one) }
        let name = own ?? known?.place.name
        self.title = try Title(shortening: name, else: wording.title(of: moment))
        self.text =
            try moment.note.flatMap { EntryText(shortening: $0) }
            ?? EntryText(shortening: wording.text(of: moment)) ?? EntryText("")
        self.place = try Place(
            name: name ?? moment.coordinate.written, address: known?.place.address ?? "", coordinate: moment.coordinate)
    }
}

extension Title {
    /// Creates a title from as much as fits of the first text that is not blank.
    init(shortening text: (some StringProtocol)?, else other: String) throws(TravelError) {
        if let title = text.flatMap({ Title(shortening: $0) }) ?? Title(shortening: other) {
            self = title
        } else {
            try self.init(other)
        }
    }
}

extension JourneyMoment {
    fileprivate var waypoint: Waypoint? {
        if case .mark(let waypoint) = kind { waypoint } else { nil }
    }

    /// The traveller's note, unless it repeats the name.
    fileprivate var note: String? {
        waypoint?.description.flatMap { $0 == waypoint?.name ? nil : $0 }
    }
}

extension Coordinate {
    /// Both degrees with four decimals, a resolution of about ten metres: `"37.5796, 126.9770"`.
    fileprivate var written: String { "\(Self.fourDecimals(latitude)), \(Self.fourDecimals(longitude))" }

    private static func fourDecimals(_ degrees: Double) -> String {
        let units = Int((abs(degrees) * 10_000).rounded())
        return "\(degrees < 0 && units > 0 ? "-" : "")\(units / 10_000).\((units % 10_000).padded(to: 4))"
    }
}
