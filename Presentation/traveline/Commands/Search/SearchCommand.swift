import TravelDomain

/// `traveline search`: lists the trips that meet the criteria.
struct SearchCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "search", summary: "lists trips, found by keyword and by filters",
        usage: ["search [filters] [--sort ORDER] [--limit N] [--after ID] [--json]"],
        notes: [
            "A trip has to meet every filter. Options that name several values can be repeated, or have commas between "
                + "them; Korean names are understood as well. Each line begins with an ID that other commands accept."
        ],
        options: TripFilters.help + ListOptions.help,
        examples: [
            ("search --keyword 바다", "trips with 바다 in their title"),
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
        while let argument = try reader.next() {
            switch argument {
            case .option(let option):
                if try TripFilters.read(option, &reader, into: &criteria) { continue }
                if try list.read(option, &reader) { continue }
                try store.read(option, &reader, for: Self.self)
            case .word(let word):
                throw UsageError(
                    "search cannot use the word '\(word)' alone; to search for it: --keyword '\(word)'",
                    "search에는 '\(word)'만 쓸 수 없습니다. 찾으려면: --keyword '\(word)'")
            }
        }
    }

    func run() async throws {
        let (page, language) = try await App.run(store) { app in
            (try await TripPage(criteria, list, in: app), app.language)
        }
        try page.write(list, in: language)
    }
}
