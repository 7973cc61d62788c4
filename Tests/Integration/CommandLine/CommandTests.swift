import Testing
import TravelDomain
import TravelTerminal

@testable import traveline

@Suite("The command line")
struct CommandTests {
    @Test(
        "filters are read by identifier, by name in either language, repeated or separated by commas",
        arguments: [
            ["--region", "busan", "--region", "제주"], ["--region=busan,jeju"], ["--region", "BUSAN,Jeju"],
        ])
    func regions(arguments: [String]) throws {
        let search = try search(arguments)
        #expect(search.criteria.regions == [.busan, .jeju])
    }

    @Test("every filter and option finds its place")
    func everything() throws {
        let search = try search([
            "--keyword", " 바다 ", "--theme", "food", "--companion", "pets", "--season", "여름", "--period", "oneNight",
            "--headcount", "5+", "--budget", "under10", "--transportation", "ownCar", "--sort", "liked", "--limit", "7",
            "--json", "--database", "/tmp/x.sqlite",
        ])
        #expect(
            search.criteria
                == TravelCriteria(
                    keyword: Keyword("바다"), themes: [.food], companions: [.pets], seasons: [.summer],
                    period: .oneNight, headcount: .fiveOrMore, budget: .under10, transportation: .ownCar,
                    sort: .mostLiked))
        #expect(search.format == .json)
        #expect(search.limit == 7)
        #expect(search.database == "/tmp/x.sqlite")
    }

    @Test("a keyword may begin with a dash, or hold an equals sign")
    func oddKeywords() throws {
        #expect(try search(["--keyword", "-20%"]).criteria.keyword?.text == "-20%")
        #expect(try search(["--keyword=a=b"]).criteria.keyword?.text == "a=b")
    }

    @Test("a file whose name begins with a dash is named behind two dashes")
    func oddFile() throws {
        guard case .importTrack(let command) = try Command(["import", "--", "-walk.gpx"]) else {
            return #expect(Bool(false), "not an import")
        }
        #expect(command.file == "-walk.gpx")
    }

    @Test(
        "what makes no sense is refused with what would",
        arguments: [
            (["fly"], "there are: search, import, seed, help"), ([], "say what to do"),
            (["--json"], "comes after a command"),
            (["search", "--region", "atlantis"], "there are: seoul, busan"),
            (["search", "--region", ""], "is no region"),
            (["search", "--limit", "0"], "from 1"), (["search", "--limit", "many"], "from 1"),
            (["search", "--headcount", "6"], "5+"), (["search", "--sort", "best"], "newest, liked"),
            (["search", "--json=yes"], "takes no value"), (["search", "--keyword"], "needs a value"),
            (["search", "바다"], "--keyword '바다'"), (["import"], "needs a file"), (["import", "a", "b"], "one too many"),
            (["search", "--database", ""], "path"),
        ])
    func refused(arguments: [String], hint: String) throws {
        let error = try #require(throws: UsageError.self) { try Command(arguments) }
        #expect(error.description.contains(hint))
        #expect(!error.description.contains("\n"))
    }

    @Test(
        "the database is in the data directory of the XDG specification, unless that is relative",
        arguments: [
            (["XDG_DATA_HOME": "/data", "HOME": "/home/a"], "/data/traveline/travels.sqlite"),
            (["XDG_DATA_HOME": "data", "HOME": "/home/a"], "/home/a/.local/share/traveline/travels.sqlite"),
            (["HOME": "/home/a"], "/home/a/.local/share/traveline/travels.sqlite"),
        ])
    func dataDirectory(environment: [String: String], path: String) throws {
        #if !canImport(Darwin)
            #expect(try DataDirectory.databasePath(in: environment) == path)
        #endif
    }

    @Test("without a home there is no data directory, and --database is the way")
    func homeless() {
        #expect(throws: UsageError.self) { try DataDirectory.databasePath(in: [:]) }
    }

    private func search(_ arguments: [String]) throws -> Command.Search {
        guard case .search(let search) = try Command(["search"] + arguments) else {
            throw UsageError("not a search")
        }
        return search
    }
}
