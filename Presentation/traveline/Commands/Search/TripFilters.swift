import TravelDomain
import TravelPresentation

/// The filters of a search on the command line.
enum TripFilters {
    static let help = [
        OptionHelp("--keyword", "TEXT", "trips whose title contains this text"),
        OptionHelp("--region", "NAME", oneOf: Region.allCases.map(\.rawValue), "in any of these regions"),
        OptionHelp("--theme", "NAME", oneOf: Theme.allCases.map(\.rawValue), "with any of these themes"),
        OptionHelp("--companion", "NAME", oneOf: Companion.allCases.map(\.rawValue), "with any of these companions"),
        OptionHelp("--season", "NAME", oneOf: Season.allCases.map(\.rawValue), "that begin in any of these seasons"),
        OptionHelp("--period", "NAME", oneOf: Period.allCases.map(\.rawValue), "of this length"),
        OptionHelp("--headcount", "N", oneOf: ["1", "2", "3", "4", "5+"], "with so many people"),
        OptionHelp("--budget", "NAME", oneOf: Budget.allCases.map(\.rawValue), "at this cost a person, in 10,000 won"),
        OptionHelp(
            "--transportation", "NAME", oneOf: Transportation.allCases.map(\.rawValue), "by this means of transport"),
        OptionHelp("--sort", "ORDER", oneOf: ["newest", "liked", "date"], "newest, most liked, or latest date first"),
    ]

    /// Reads one of these options into `criteria`; false where it is none.
    static func read(
        _ option: String, _ reader: inout ArgumentReader, into criteria: inout TravelCriteria
    ) throws -> Bool {
        switch option {
        case "--keyword": criteria.keyword = Keyword(try reader.value("TEXT"))
        case "--region": try criteria.regions.formUnion(reader.values("region"))
        case "--theme": try criteria.themes.formUnion(reader.values("theme"))
        case "--companion": try criteria.companions.formUnion(reader.values("companion"))
        case "--season": try criteria.seasons.formUnion(reader.values("season"))
        case "--period": criteria.period = try reader.value("period", of: Period.self)
        case "--headcount": criteria.headcount = try reader.headcount()
        case "--budget": criteria.budget = try reader.value("budget", of: Budget.self)
        case "--transportation":
            criteria.transportation = try reader.value("transportation", of: Transportation.self)
        case "--sort": criteria.sort = try reader.sort()
        default: return false
        }
        return true
    }
}
