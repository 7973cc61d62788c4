/// `benchmarks <group> [--json] [--only <shape>] [--count <travels>]` measures one group; without a group, all of them.
let arguments = Array(CommandLine.arguments.dropFirst())
let only = value(of: "--only")
let count = value(of: "--count")
let names = arguments.filter { !$0.hasPrefix("--") && $0 != only && $0 != count }

func value(of option: String) -> String? {
    arguments.firstIndex(of: option).flatMap { arguments.dropFirst($0 + 1).first }
}

let groups: [(name: String, run: (inout Report) async throws -> Void)] = [
    ("streams", StreamsBenchmarks.run),
    ("sqlite", SQLiteBenchmarks.run),
    ("flow", FlowBenchmarks.run),
    ("travel", TravelBenchmarks.run),
]

if let unknown = names.first(where: { name in !groups.contains { $0.name == name } }) {
    print("there is no group \(unknown); there are: \(groups.map(\.name).joined(separator: ", "))")
} else {
    Report.keepSecondThreadAsleep()
    for group in groups where names.isEmpty || names.contains(group.name) {
        var report = Report(
            group: group.name, isJSON: arguments.contains("--json"), only: only, count: count.flatMap { Int($0) })
        try await group.run(&report)
        report.printTable()
    }
}
