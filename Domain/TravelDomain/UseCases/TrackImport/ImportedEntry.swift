/// The title, text and place of an imported entry.
package struct ImportedEntry {
    /// The title of the entry.
    package let title: Title
    /// The text of the entry.
    package let text: EntryText
    /// The place of the entry.
    package let place: Place
    /// The number of texts that did not fit and were cut.
    package let cuts: Int

    /// The maximum distance in metres at which a known place provides the title.
    package static let nearby = SearchPlaces.nearby

    /// Creates the entry of `moment`, with the nearest known place, if there is one.
    ///
    /// The title is the name of the mark, or else that of a known place ``nearby``, or else that of `wording`. The text
    /// is the note of the mark, or else that of `wording`.
    package init(_ moment: JourneyMoment, near known: KnownPlace?, wording: some TrackWording) throws {
        let known = known.flatMap { $0.coordinate.distance(to: moment.coordinate) <= Self.nearby ? $0 : nil }
        var cuts = 0
        let longestName = TextLimits.placeName.upperBound
        let own = moment.waypoint?.name.flatMap { name in
            TextRules.shortened(name, to: longestName, lines: .one, cuts: &cuts)
        }
        let name = own ?? known?.place.name
        self.title = try Title(shortening: name, else: wording.title(of: moment), cuts: &cuts)
        self.text =
            try moment.note.flatMap { EntryText(shortening: $0, cuts: &cuts) }
            ?? EntryText(shortening: wording.text(of: moment), cuts: &cuts) ?? EntryText("")
        self.cuts = cuts
        self.place = try Place(
            name: name ?? moment.coordinate.written, address: known?.place.address ?? "", coordinate: moment.coordinate)
    }
}

extension Title {
    /// Creates a title from as much as fits of the first text that is not blank, and counts in `cuts` whether it was
    /// cut.
    init(shortening text: (some StringProtocol)?, else other: String, cuts: inout Int) throws(TravelError) {
        if let title = text.flatMap({ Title(shortening: $0, cuts: &cuts) }) ?? Title(shortening: other, cuts: &cuts) {
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
