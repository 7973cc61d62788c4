/// The English words of imported tracks: what an import writes where the traveller has noted nothing.
package struct EnglishTrackWording: TrackWording {
    package init() {}

    package var travelTitle: String { "Recorded trip" }

    package func title(of moment: JourneyMoment) -> String {
        switch moment.kind {
        case .departure: "Departure"
        case .arrival: "Arrival"
        case .stay: moment.stayed > 0 ? "Stop" : "On the way"
        case .mark: "Marked place"
        }
    }

    package func text(of moment: JourneyMoment) -> String {
        var sentences: [String] = []
        if moment.stayed >= 60 { sentences.append("Stayed for \(Self.duration(moment.stayed)).") }
        switch (moment.kind, moment.distance.map({ length($0, space: " ") })) {
        case (.arrival, let way?): sentences.append("Arrived after \(way).")
        case (_, let way?): sentences.append("\(way) on this day.")
        case (.departure, nil): sentences.append("The first record of this day.")
        case (.arrival, nil): sentences.append("The last record of this day.")
        case (.mark, nil), (.stay, nil):
            if sentences.isEmpty { sentences.append(moment.isPassed ? "Passed here." : "Marked on the map.") }
        }
        if let elevation = moment.elevation, (-500...9_000).contains(elevation) {
            let metres = Int(elevation.rounded())
            sentences.append("\(abs(metres)) m \(metres < 0 ? "below" : "above") sea level.")
        }
        return sentences.joined(separator: " ")
    }

    /// `"35 minutes"`, `"1 hour"`, `"2 hours 5 minutes"`.
    private static func duration(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        func part(_ count: Int, _ unit: String) -> String? {
            count == 0 ? nil : "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        return [part(minutes / 60, "hour"), part(minutes % 60, "minute")].compactMap(\.self).joined(separator: " ")
    }
}

/// The Korean words of imported tracks: what an import writes where the traveller has noted nothing.
package struct KoreanTrackWording: TrackWording {
    package init() {}

    package var travelTitle: String { "여행 기록" }

    package func title(of moment: JourneyMoment) -> String {
        switch moment.kind {
        case .departure: "출발"
        case .arrival: "도착"
        case .stay: moment.stayed > 0 ? "머문 곳" : "지난 곳"
        case .mark: "표시한 곳"
        }
    }

    package func text(of moment: JourneyMoment) -> String {
        var sentences: [String] = []
        if moment.stayed >= 60 {
            sentences.append("\(Self.duration(moment.stayed)) 동안 머물렀다.")
        }
        switch (moment.kind, moment.distance.map({ length($0, space: "") })) {
        case (.arrival, let way?): sentences.append("\(way)를 이동해 도착했다.")
        case (_, let way?): sentences.append("이날 \(way)를 이동했다.")
        case (.departure, nil): sentences.append("이날의 첫 기록이다.")
        case (.arrival, nil): sentences.append("이날의 마지막 기록이다.")
        case (.mark, nil), (.stay, nil):
            if sentences.isEmpty { sentences.append(moment.isPassed ? "이곳을 지났다." : "이곳을 표시해 두었다.") }
        }
        if let elevation = moment.elevation, (-500...9_000).contains(elevation) {
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
}

/// `"850 m"`, `"12.3 km"`, with `space` between number and unit.
private func length(_ metres: Double, space: String) -> String {
    if metres < 999.5 { return "\(Int(metres.rounded()))\(space)m" }
    let hundreds = Int((metres / 100).rounded())
    return "\(hundreds / 10).\(hundreds % 10)\(space)km"
}
