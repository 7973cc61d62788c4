import Foundation

/// What `benchmarks --help` prints.
let usage = """
    usage: benchmarks [group…] [option…]

    Measures groups of shapes, or all of them without a group; exits with 1 when the columns of a shape come to
    different results.

      --only SHAPE       measure one shape
      --element NAME     measure one type of element
      --column NAME      measure one store (group travel)
      --count TRIPS      the number of trips (groups travel, app and server)
      --quick            measure for a short time
      --json             print JSON instead of a table
    """
let arguments = Array(CommandLine.arguments.dropFirst())
let only = value(of: "--only")
let element = value(of: "--element")
let column = value(of: "--column")
let count = value(of: "--count")
let names = arguments.filter { !$0.hasPrefix("--") && ![only, element, column, count].contains($0) }

func value(of option: String) -> String? {
    arguments.firstIndex(of: option).flatMap { arguments.dropFirst($0 + 1).first }
}

var groups: [(name: String, run: @MainActor (inout Report) async throws -> Void)] = [
    ("streams", StreamsBenchmarks.run),
    ("sqlite", SQLiteBenchmarks.run),
    ("flow", FlowBenchmarks.run),
    ("travel", TravelBenchmarks.run),
    ("app", AppBenchmarks.run),
    ("growth", GrowthBenchmarks.run),
]
#if PostgreSQL
groups.append(("postgresql", PostgreSQLBenchmarks.run))
#endif
#if Server
groups.append(("server", ServerBenchmarks.run))
#endif

if arguments.contains("--help") {
    print("\(usage)\n\ngroups: \(groups.map(\.name).joined(separator: ", "))")
    exit(0)
}
let options = ["--only", "--element", "--column", "--count", "--quick", "--json"]
if let unknown = arguments.first(where: { $0.hasPrefix("--") && !options.contains($0) }) {
    print("unknown option '\(unknown)'; see benchmarks --help")
    exit(64)
}
if let unknown = names.first(where: { name in !groups.contains { $0.name == name } }) {
    print("unknown group '\(unknown)'; choose one of: \(groups.map(\.name).joined(separator: ", "))")
    exit(64)
}
Report.keepSecondThreadAsleep()
var measured = 0
var mismatches: [String] = []
for group in groups where names.isEmpty || names.contains(group.name) {
    var report = Report(
        group: group.name, isJSON: arguments.contains("--json"), isQuick: arguments.contains("--quick"), only: only,
        onlyElement: element, onlyColumn: column, count: count.flatMap { Int($0) })
    do {
        try await group.run(&report)
    } catch {
        FileHandle.standardError.write(Data("group \(group.name): \(error)\n".utf8))
        exit(1)
    }
    report.printTable()
    measured += report.rowCount
    mismatches += report.mismatches
}
if measured == 0 {
    print("no shape was measured: --only and --element name none that the group has")
    exit(64)
}
if !mismatches.isEmpty {
    let text = "columns that come to different results:\n" + mismatches.map { "  \($0)\n" }.joined()
    FileHandle.standardError.write(Data(text.utf8))
    exit(1)
}
