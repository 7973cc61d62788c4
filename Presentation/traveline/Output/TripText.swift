import TravelDomain
import TravelPresentation
import TravelTerminal

/// One trip with its timeline as text.
struct TripText {
    private let travel: Travel
    private let timeline: [TimelineEntry]
    private let all: [TimelineEntry]
    private let language: Language
    private let page: Page

    /// Prints the entries in `timeline`, with their numbers in `all`.
    init(
        _ travel: Travel, _ timeline: [TimelineEntry], numbering all: [TimelineEntry], in language: Language,
        on page: Page
    ) {
        self.travel = travel
        self.timeline = timeline
        self.all = all
        self.language = language
        self.page = page
    }

    /// The lines, each with a line break.
    var text: String {
        var lines = page.lines(travel.title.text) + page.lines(facts.joined(separator: page.dot))
        lines += page.lines(people) + [travel.id.description]
        for (index, entry) in timeline.enumerated() {
            if index == 0 || timeline[index - 1].day != entry.day { lines += [""] + page.lines(heading(entry.day)) }
            lines += self.lines(of: entry)
        }
        if timeline.isEmpty { lines += ["", language.say("There are no entries yet.", "아직 기록이 없습니다.")] }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The properties of the trip, in words: region, period, dates, and its traits.
    private var facts: [String] {
        (Self.traits(of: travel.content, in: language) + [travel.days.text]).map(page.plain)
    }

    /// Region, period and traits in words, for headings.
    static func traits(of content: TravelContent, in language: Language) -> [String] {
        let themes = Theme.allCases.filter(content.themes.contains).map { $0.name(in: language) }
        let companions = Companion.allCases.filter(content.companions.contains).map { $0.name(in: language) }
        let others = [
            content.headcount?.name(in: language), content.budget?.name(in: language),
            content.transportation?.name(in: language),
        ]
        return [content.region.name(in: language), content.days.period.name(in: language)] + themes + companions
            + others.compactMap { $0 }
    }

    private var people: String {
        let sample = App.isSample(travel.id) ? language.say(" (sample)", " (예시)") : ""
        let liked = travel.isLiked ? language.say(" (liked by you)", " (내가 좋아함)") : ""
        return "\(travel.author.nickname)\(sample)\(page.dot)\(page.heart) \(travel.likeCount)\(liked)"
    }

    private func heading(_ day: Int) -> String {
        let date = travel.days.first.adding(days: day - 1)
        return language.say("Day \(day)", "\(day)일차") + page.dot + date.description
    }

    private func lines(of entry: TimelineEntry) -> [String] {
        let ids = all.map(\.id)
        let number = entry.number(in: all)
        let picture = entry.image == nil ? "" : language.say(" [picture]", " [사진]")
        var lines = page.lines(
            "\(entry.time) \(number). \(entry.title)\(picture) (\(entry.id.short(among: ids)))", indentation: 2)
        if let place = entry.place {
            let address = place.address.isEmpty ? "" : ", \(place.address)"
            lines += page.lines("@ \(place.name)\(address)", indentation: 8)
        }
        return lines + page.lines(entry.text.text, indentation: 8)
    }
}
