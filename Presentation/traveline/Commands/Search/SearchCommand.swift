import TravelDomain
import TravelPresentation

/// `traveline search`: lists the trips that meet the criteria.
struct SearchCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "search", summary: "lists trips, found by keyword and by filters",
        usage: ["search [TEXT] [filters] [--sort ORDER] [--limit N] [--after ID] [--json]"],
        notes: [
            "TEXT is the same as --keyword. A trip has to meet every filter. Options that name several values can be repeated, or have commas between "
                + "them; Korean names are understood as well. Each line begins with an ID that other commands accept."
        ],
        options: TripFilters.help + ListOptions.help,
        examples: [
            ("search 바다", "trips with 바다 in their title"),
            (
                "search --region busan,jeju --season summer --sort liked",
                "summer trips to Busan or Jeju, most liked first"
            ),
            ("search --companion family --limit 5 --json", "five family trips for another program"),
        ])

    private(set) var criteria = TravelCriteria()
    private(set) var list = ListOptions()
    private(set) var store = StoreOptions()

    init(_ reader: inout ArgumentReader) throws {
        var words: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .option(let option):
                if try TripFilters.read(option, &reader, into: &criteria) { continue }
                if try list.read(option, &reader) { continue }
                try store.read(option, &reader, for: Self.self)
            case .word(let word): words.append(word)
            }
        }
        guard let keyword = Keyword(words.joined(separator: " ")) else { return }
        if criteria.keyword != nil {
            throw UsageError(
                "the text '\(keyword.text)' and --keyword say the same; leave one out",
                "'\(keyword.text)'와(과) --keyword는 같은 뜻입니다. 하나만 쓰세요")
        }
        criteria.keyword = keyword
    }

    func run() async throws {
        let (page, language) = try await App.run(store) { app in
            (try await TripPage(criteria, list, in: app), app.language)
        }
        try page.write(list, in: language)
        if let region = proposedRegion {
            Standard.note(
                language.say(
                    "for all trips in \(region.name(in: .english)), whatever their title: --region \(region.rawValue)",
                    "제목과 관계없이 \(region.name(in: .korean)) 여행 모두 보기: --region \(region.rawValue)"))
        }
    }

    /// The region that the keyword names, unless it is chosen: its trips need not have the name in their titles.
    var proposedRegion: Region? {
        guard let region = criteria.keyword.flatMap(Region.init(namedBy:)) else { return nil }
        return criteria.regions.contains(region) ? nil : region
    }
}
