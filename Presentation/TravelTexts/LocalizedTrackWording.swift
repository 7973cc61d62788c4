/// The words of imported tracks: what an import writes where the traveller has noted nothing.
public struct LocalizedTrackWording: TrackWording {
    private let language: Language

    public init(in language: Language) {
        self.language = language
    }

    public var tripTitle: String { language[Text("Recorded trip", "여행 기록")] }

    /// Names the trip by its first day: `"Trip of 5 May 2023"`, `"2023년 5월 5일 여행"`.
    public func tripTitle(ofPhotosOn days: DayRange) -> String {
        let first = Text.dateWithoutWeekday(days.first)
        return language[Text("Trip of \(first.english)", "\(first.korean) 여행")]
    }

    public var photosTitle: String { language[Text("Photos", "사진")] }

    public func text(ofPhotos count: Int) -> String {
        language[Text(count == 1 ? "1 photo." : "\(count) photos.", "사진 \(count)장.")]
    }

    public func title(of moment: JourneyMoment) -> String {
        switch moment.kind {
        case .departure: language[Text("Departure", "출발")]
        case .arrival: language[Text("Arrival", "도착")]
        case .stay: language[moment.stayed > 0 ? Text("Stop", "머문 곳") : Text("On the way", "지난 곳")]
        case .mark: language[Text("Marked place", "표시한 곳")]
        }
    }

    public func text(of moment: JourneyMoment) -> String {
        var sentences: [Text] = []
        if moment.stayed >= 60 {
            let duration = duration(moment.stayed)
            sentences.append(Text("Stayed for \(duration).", "\(duration) 동안 머물렀다."))
        }
        switch (moment.kind, moment.distance.map { language[.length($0)] }) {
        case (.arrival, let way?): sentences.append(Text("Arrived after \(way).", "\(way)를 이동해 도착했다."))
        case (_, let way?): sentences.append(Text("\(way) on this day.", "이날 \(way)를 이동했다."))
        case (.departure, nil): sentences.append(Text("The first record of this day.", "이날의 첫 기록이다."))
        case (.arrival, nil): sentences.append(Text("The last record of this day.", "이날의 마지막 기록이다."))
        case (.mark, nil), (.stay, nil):
            guard sentences.isEmpty else { break }
            sentences.append(
                moment.isPassed
                    ? Text("Passed here.", "이곳을 지났다.") : Text("Marked on the map.", "이곳을 표시해 두었다."))
        }
        if let elevation = moment.elevation, (-500...9_000).contains(elevation) {
            let metres = Int(elevation.rounded())
            sentences.append(
                Text("\(abs(metres)) m \(metres < 0 ? "below" : "above") sea level.", "해발 \(metres)m."))
        }
        return sentences.map { language[$0] }.joined(separator: " ")
    }

    /// `"35 minutes"`, `"2 hours 5 minutes"`; `"35분"`, `"2시간 5분"`.
    private func duration(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        func part(_ count: Int, _ unit: Text) -> String? {
            if count == 0 { return nil }
            return language[Text("\(count) \(unit.english)\(count == 1 ? "" : "s")", "\(count)\(unit.korean)")]
        }
        return [part(minutes / 60, Text("hour", "시간")), part(minutes % 60, Text("minute", "분"))]
            .compactMap(\.self).joined(separator: " ")
    }
}
