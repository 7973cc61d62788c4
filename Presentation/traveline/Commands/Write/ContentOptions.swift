import TravelDomain
import TravelPresentation

/// The parts of a trip that its author writes, as options.
struct ContentOptions: Sendable {
    private(set) var title: Title?
    private(set) var region: Region?
    private(set) var first: CalendarDay?
    private(set) var last: CalendarDay?
    private(set) var numberOfDays: Int?
    /// The path of a picture; `none` for none.
    private(set) var cover: String?
    private var traits: [@Sendable (inout TravelContent) -> Void] = []

    static let help = [
        OptionHelp("--title", "TEXT", "the title, at most \(Title.length.upperBound) characters"),
        OptionHelp("--region", "NAME", oneOf: Region.allCases.map(\.rawValue), "the destination"),
        OptionHelp("--from", "DATE", "the first day, such as 2024-05-01"),
        OptionHelp("--to", "DATE", "the last day; by default the first day"),
        OptionHelp("--days", "N", "the number of days, instead of the last day"),
        OptionHelp("--theme", "NAME", oneOf: Theme.allCases.map(\.rawValue) + ["none"], "the purposes"),
        OptionHelp("--companion", "NAME", oneOf: Companion.allCases.map(\.rawValue) + ["none"], "the company"),
        OptionHelp("--headcount", "N", oneOf: ["1", "2", "3", "4", "5+", "none"], "the number of people"),
        OptionHelp(
            "--budget", "NAME", oneOf: Budget.allCases.map(\.rawValue) + ["none"], "the cost a person, in 10,000 won"),
        OptionHelp(
            "--transportation", "NAME", oneOf: Transportation.allCases.map(\.rawValue) + ["none"],
            "the means of transport"),
        OptionHelp("--cover", "FILE", completes: .files, "the picture of the trip; none for the first of its entries"),
    ]

    /// Whether any of these options was read.
    var isEmpty: Bool {
        title == nil && region == nil && first == nil && last == nil && numberOfDays == nil && cover == nil
            && traits.isEmpty
    }

    /// Reads the value of one of these options; returns `false` for any other option.
    mutating func read(_ option: String, _ reader: inout ArgumentReader) throws -> Bool {
        switch option {
        case "--title": title = try reader.title()
        case "--region": region = try reader.value("region", of: Region.self)
        case "--from": first = try reader.day()
        case "--to": last = try reader.day()
        case "--days": numberOfDays = try reader.positiveNumber("N")
        case "--cover": cover = try reader.value("FILE")
        case "--theme":
            let themes: Set<Theme> = try reader.optionalValues("theme")
            traits.append { $0.themes = themes }
        case "--companion":
            let companions: Set<Companion> = try reader.optionalValues("companion")
            traits.append { $0.companions = companions }
        case "--headcount":
            let headcount = try reader.headcount()
            traits.append { $0.headcount = headcount }
        case "--budget":
            let budget = try reader.optionalValue("budget", of: Budget.self)
            traits.append { $0.budget = budget }
        case "--transportation":
            let transportation = try reader.optionalValue("transportation", of: Transportation.self)
            traits.append { $0.transportation = transportation }
        default: return false
        }
        if last != nil, numberOfDays != nil {
            throw UsageError("--to and --days say the same; use one of them", "--to와 --days 중 하나만 쓰세요")
        }
        return true
    }

    /// The content of a new trip; `nil` where the title, the region or the first day is missing.
    func newContent() throws -> TravelContent? {
        guard let title, let region, let first else { return nil }
        var content = TravelContent(title: title, region: region, days: try days(from: first, length: 1))
        for trait in traits { trait(&content) }
        return content
    }

    /// Changes the parts that the options name. A new first day also moves the last day, unless the options name that,
    /// too.
    func apply(to content: inout TravelContent) throws {
        if let title { content.title = title }
        if let region { content.region = region }
        if first != nil || last != nil || numberOfDays != nil {
            content.days = try days(from: first ?? content.days.first, length: content.days.count)
        }
        for trait in traits { trait(&content) }
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
