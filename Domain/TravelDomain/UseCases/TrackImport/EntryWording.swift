/// The title, text and place of an imported entry, in Korean, the language of the product.
package struct EntryWording {
    /// The title of the entry.
    package let title: Title
    /// The text of the entry.
    package let text: EntryText
    /// The place of the entry.
    package let place: Place

    /// The maximum distance in metres at which a known place provides the title.
    package static let nearby = 1_000.0

    /// Creates the wording of `moment`, with the nearest known place, if there is one.
    ///
    /// The title is the name of the mark, or else that of a known place ``nearby``, or else a word for the kind of
    /// moment. The text is the note of the mark, or else the facts: duration, distance and elevation.
    package init(_ moment: JourneyMoment, near known: KnownPlace?) throws {
        let known = known.flatMap { $0.place.coordinate.distance(to: moment.coordinate) <= Self.nearby ? $0 : nil }
        let own = moment.waypoint?.name.flatMap { TextRules.shortened($0, to: 100, lines: .one) }
        let name = own ?? known?.place.name
        self.title = try name.flatMap { Title(shortening: $0) } ?? Title(moment.word)
        self.text = try moment.note.flatMap { EntryText(shortening: $0) } ?? EntryText(moment.facts)
        self.place = try Place(
            name: name ?? moment.coordinate.written, address: known?.place.address ?? "", coordinate: moment.coordinate)
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

    /// One word for the kind of moment.
    fileprivate var word: String {
        switch kind {
        case .departure: "출발"
        case .arrival: "도착"
        case .stay: stayed > 0 ? "머문 곳" : "지난 곳"
        case .mark: "표시한 곳"
        }
    }

    /// The known facts as sentences.
    fileprivate var facts: String {
        var sentences: [String] = []
        if stayed >= 60 {
            sentences.append("\(Self.duration(stayed)) 동안 머물렀다.")
        }
        switch (kind, distance.map(Self.length)) {
        case (.arrival, let way?): sentences.append("\(way)를 이동해 도착했다.")
        case (_, let way?): sentences.append("이날 \(way)를 이동했다.")
        case (.departure, nil): sentences.append("이날의 첫 기록이다.")
        case (.arrival, nil): sentences.append("이날의 마지막 기록이다.")
        case (.mark, nil), (.stay, nil):
            if sentences.isEmpty { sentences.append(isPassed ? "이곳을 지났다." : "이곳을 표시해 두었다.") }
        }
        if let elevation, (-500...9_000).contains(elevation) {
            sentences.append("해발 \(Int(elevation.rounded()))m.")
        }
        return sentences.joined(separator: " ")
    }

    /// `"35분"`, `"1시간"`, `"2시간 5분"`.
    private static func duration(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        let parts = [minutes / 60 > 0 ? "\(minutes / 60)시간" : nil, minutes % 60 > 0 ? "\(minutes % 60)분" : nil]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// `"850m"`, `"12.3km"`.
    private static func length(_ metres: Double) -> String {
        if metres < 999.5 { return "\(Int(metres.rounded()))m" }
        let hundreds = Int((metres / 100).rounded())
        return "\(hundreds / 10).\(hundreds % 10)km"
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
