import TravelDomain
import TravelTerminal

/// What the command line asks for.
enum Command {
    case search(Search)
    case importTrack(Import)
    case seed(Seed)
    case help
    case version

    struct Search {
        var criteria = TravelCriteria()
        var format = SearchView.Format.table
        var limit = SearchTravels.pageSize
        var database: String?
    }

    struct Import {
        var file: String
        var region: Region?
        var database: String?
    }

    struct Seed {
        var count: Int
        var seed: UInt64 = 1
        var format = SearchView.Format.table
        var database: String?
    }

    static let usage = """
        traveline: trips as timelines, found by keyword and by filters

        traveline search [--keyword TEXT] [filters] [--sort newest|liked] [--limit N] [--json]
          --region NAME          any of these regions: seoul, busan, … jeju, or 서울, 부산, … 제주
          --theme NAME           any of these themes: healing, activity, camping, food, art, mood, nature,
                                 shopping, familyDuty
          --companion NAME       any of: family, friends, partner, pets
          --season NAME          any of: spring, summer, autumn, winter
          --period NAME          dayTrip, oneNight, twoNights, threeNightsOrMore, weekOrMore, monthOrMore
          --headcount N          1, 2, 3, 4 or 5+
          --budget NAME          under10, from10to50, from50to100, over100 (10,000 won a head)
          --transportation NAME  publicTransport, ownCar
          --limit N              at most N trips, 20 by default
          --json                 print a JSON array

        traveline import FILE.gpx [--region NAME]
          Makes a trip with a timeline of a recorded track (GPX 1.0 or 1.1).

        traveline seed --count N [--seed SEED] [--json]
          Adds N made-up trips, the same for the same N and SEED (a whole number, 1 by default), to try a database of
          that size. All of them or, when it is interrupted, none.

        Everywhere:
          --database PATH        use this database, not the one in your data directory
          --help, --version

        The first use of a database fills it with sample trips, unless that is to seed it.

        """

    /// Reads the words behind the name of the program.
    init(_ arguments: [String]) throws {
        var reader = ArgumentReader(arguments)
        switch try reader.next() {
        case .word("search"): self = try Self.search(&reader)
        case .word("import"): self = try Self.importTrack(&reader)
        case .word("seed"): self = try Self.seed(&reader)
        case .word("help"), .option("--help"), .option("-h"): self = .help
        case .option("--version"): self = .version
        case .word(let word): throw UsageError("there is no command '\(word)'; there are: search, import, seed, help")
        case .option(let option): throw UsageError("\(option) comes after a command: search, import or seed")
        case nil: throw UsageError("say what to do: search, import, seed or help")
        }
    }

    private static func search(_ reader: inout ArgumentReader) throws -> Command {
        var search = Search()
        while let argument = try reader.next() {
            switch argument {
            case .option("--keyword"): search.criteria.keyword = Keyword(try reader.value("TEXT"))
            case .option("--region"): try search.criteria.regions.formUnion(reader.values("region"))
            case .option("--theme"): try search.criteria.themes.formUnion(reader.values("theme"))
            case .option("--companion"): try search.criteria.companions.formUnion(reader.values("companion"))
            case .option("--season"): try search.criteria.seasons.formUnion(reader.values("season"))
            case .option("--period"): search.criteria.period = try reader.value("period", of: Period.self)
            case .option("--headcount"): search.criteria.headcount = try reader.headcount()
            case .option("--budget"): search.criteria.budget = try reader.value("budget", of: Budget.self)
            case .option("--transportation"):
                search.criteria.transportation = try reader.value("transportation", of: Transportation.self)
            case .option("--sort"): search.criteria.sort = try reader.sort()
            case .option("--limit"): search.limit = try reader.positiveNumber("N")
            case .option("--json"): search.format = .json
            case .option("--database"): search.database = try reader.path()
            case .option("--help"), .option("-h"): return .help
            case .option(let option): throw UsageError("search has no option \(option); see traveline --help")
            case .word(let word):
                throw UsageError("search takes no word '\(word)' by itself; to look for it: --keyword '\(word)'")
            }
        }
        return .search(search)
    }

    private static func importTrack(_ reader: inout ArgumentReader) throws -> Command {
        var file: String?
        var command = Import(file: "")
        while let argument = try reader.next() {
            switch argument {
            case .option("--region"): command.region = try reader.value("region", of: Region.self)
            case .option("--database"): command.database = try reader.path()
            case .option("--help"), .option("-h"): return .help
            case .option(let option): throw UsageError("import has no option \(option); see traveline --help")
            case .word(let word):
                if file != nil { throw UsageError("import takes one file at a time; '\(word)' is one too many") }
                file = word
            }
        }
        guard let file, !file.isEmpty else { throw UsageError("import needs a file: traveline import FILE.gpx") }
        command.file = file
        return .importTrack(command)
    }

    private static func seed(_ reader: inout ArgumentReader) throws -> Command {
        var count: Int?
        var command = Seed(count: 0)
        while let argument = try reader.next() {
            switch argument {
            case .option("--count"): count = try reader.positiveNumber("N")
            case .option("--seed"): command.seed = try reader.seed()
            case .option("--json"): command.format = .json
            case .option("--database"): command.database = try reader.path()
            case .option("--help"), .option("-h"): return .help
            case .option(let option): throw UsageError("seed has no option \(option); see traveline --help")
            case .word(let word): throw UsageError("seed takes no word '\(word)' by itself; see traveline --help")
            }
        }
        guard let count else { throw UsageError("say how many trips to make up: traveline seed --count N") }
        command.count = count
        return .seed(command)
    }
}
