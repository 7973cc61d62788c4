import Foundation
import TravelDomain
import TravelPresentation

/// The filters of a search on the command line.
enum TripFilters {
    static let help = [
        OptionHelp("--keyword", "TEXT", Text("trips whose title contains this text", "제목에 이 글자가 있는 여행")),
        OptionHelp(
            "--region", "NAME", completes: .cases(of: Region.self), Text("in any of these regions", "이 지역 중 하나")),
        OptionHelp("--theme", "NAME", completes: .cases(of: Theme.self), Text("with any of these themes", "이 테마 중 하나")),
        OptionHelp(
            "--companion", "NAME", completes: .cases(of: Companion.self),
            Text("with any of these companions", "이 동행 중 하나")),
        OptionHelp(
            "--season", "NAME", completes: .cases(of: Season.self),
            Text("that begin in any of these seasons", "이 계절 중 하나에 시작")),
        OptionHelp("--period", "NAME", completes: .cases(of: Period.self), Text("of this length", "이 기간")),
        OptionHelp(
            "--headcount", "N", completes: .choices(["1", "2", "3", "4", "5+"]), Text("with this many people", "이 인원")),
        OptionHelp(
            "--budget", "NAME", completes: .cases(of: Budget.self),
            Text("at this cost per person, in units of 10,000 won", "한 사람의 경비, 만 원 단위")),
        OptionHelp(
            "--transportation", "NAME", completes: .cases(of: Transportation.self),
            Text("by this means of transport", "이 교통수단")),
        OptionHelp(
            "--sort", "ORDER", completes: .choices(["newest", "liked", "date"]),
            Text("newest, most liked, or latest date first", "최신순, 좋아요순 또는 여행 날짜순")),
    ]

    static func criteria(_ arguments: Arguments) throws -> TripCriteria {
        TripCriteria(
            keyword: arguments.value("--keyword").flatMap { Keyword($0) }, regions: try arguments.choices("--region"),
            themes: try arguments.choices("--theme"), companions: try arguments.choices("--companion"),
            seasons: try arguments.choices("--season"), period: try arguments.choice("--period"),
            headcount: try arguments.headcount() ?? nil, budget: try arguments.choice("--budget"),
            transportation: try arguments.choice("--transportation"), sort: try arguments.sort() ?? .newest)
    }
}

/// The parts of a trip that its author writes, as options.
struct ContentOptions: Sendable {
    let title: Title?
    let region: Region?
    let first: CalendarDay?
    private let last: CalendarDay?
    private let numberOfDays: Int?
    /// The path of a picture; `none` for none.
    let cover: String?
    private let themes: Set<Theme>?
    private let companions: Set<Companion>?
    private let headcount: Headcount??
    private let budget: Budget??
    private let transportation: Transportation??
    private let audience: Audience.Level?
    /// Whether none of these options is on the command line.
    let isEmpty: Bool

    static let help = [
        OptionHelp(
            "--title", "TEXT",
            Text("the title, at most \(Title.length.upperBound) characters", "제목, 최대 \(Title.length.upperBound)자")),
        OptionHelp("--region", "NAME", completes: .cases(of: Region.self), Text("the region", "여행지")),
        OptionHelp("--from", "DATE", Text("the first day, such as 2024-05-01", "첫날, 예: 2024-05-01")),
        OptionHelp("--to", "DATE", Text("the last day; by default the first day", "마지막 날, 기본은 첫날")),
        OptionHelp("--days", "N", Text("the number of days, instead of the last day", "마지막 날 대신 날수")),
        OptionHelp("--theme", "NAME", completes: .cases(of: Theme.self, or: "none"), Text("the themes", "테마")),
        OptionHelp(
            "--companion", "NAME", completes: .cases(of: Companion.self, or: "none"), Text("the companions", "동행")),
        OptionHelp(
            "--headcount", "N", completes: .choices(["1", "2", "3", "4", "5+", "none"]),
            Text("the number of people", "인원")),
        OptionHelp(
            "--budget", "NAME", completes: .cases(of: Budget.self, or: "none"),
            Text("the cost per person, in units of 10,000 won", "한 사람의 경비, 만 원 단위")),
        OptionHelp(
            "--transportation", "NAME", completes: .cases(of: Transportation.self, or: "none"),
            Text("the means of transport", "교통수단")),
        OptionHelp(
            "--cover", "FILE", completes: .files,
            Text("the picture of the trip; none for the first one of its entries", "여행의 사진, none이면 기록의 첫 사진")),
        OptionHelp(
            "--visible-to", "WHOM", completes: .cases(of: Audience.Level.self),
            Text("who sees it: me by default, those who have the link, or everyone", "볼 수 있는 사람: 기본은 나만, 링크가 있는 사람, 모두")
        ),
    ]

    init(_ arguments: Arguments) throws {
        isEmpty = !Self.help.contains { arguments.has($0.name) }
        title = try arguments.title()
        region = try arguments.choice("--region")
        first = try arguments.day("--from")
        last = try arguments.day("--to")
        numberOfDays = try arguments.positiveNumber("--days")
        cover = arguments.value("--cover")
        themes = try arguments.choicesOrNone("--theme")
        companions = try arguments.choicesOrNone("--companion")
        headcount = try arguments.headcount()
        budget = try arguments.choiceOrNone("--budget")
        transportation = try arguments.choiceOrNone("--transportation")
        audience = try arguments.identifier("--visible-to", "audience", "공개 범위")
        if last != nil, numberOfDays != nil {
            throw UsageError("--to and --days are alternatives; use one of them", "--to와 --days 중 하나만 쓰세요")
        }
    }

    /// The content of a new trip; `nil` where the title, the region or the first day is missing.
    func newContent() throws -> TripContent? {
        guard let title, let region, let first else { return nil }
        var content = TripContent(title: title, region: region, days: try days(from: first, length: 1))
        applyTraits(to: &content)
        return content
    }

    /// Changes the parts that the options name. A new first day also moves the last day, unless the options name that,
    /// too.
    func apply(to content: inout TripContent) throws {
        if let title { content.title = title }
        if let region { content.region = region }
        if first != nil || last != nil || numberOfDays != nil {
            content.days = try days(from: first ?? content.days.first, length: content.days.count)
        }
        applyTraits(to: &content)
    }

    private func applyTraits(to content: inout TripContent) {
        if let themes { content.themes = themes }
        if let companions { content.companions = companions }
        if let headcount { content.headcount = headcount }
        if let budget { content.budget = budget }
        if let transportation { content.transportation = transportation }
        if let audience { content.audience = content.audience.changed(to: audience) }
    }

    private func days(from first: CalendarDay, length: Int) throws -> DayRange {
        guard let last else {
            let count = numberOfDays ?? length
            let days = DayRange(first, days: count)
            // A range is clipped at the end of the calendar.
            guard days.count == count else {
                throw UsageError(
                    "\(count) days from \(first) end after the year \(CalendarDay.years.upperBound)",
                    "\(first)부터 \(count)일은 \(CalendarDay.years.upperBound)년을 넘습니다")
            }
            return days
        }
        do {
            return try DayRange(first, through: last)
        } catch {
            throw UsageError("--to \(last) is before the first day, \(first)", "--to \(last)이(가) 첫날 \(first)보다 빠릅니다")
        }
    }
}
