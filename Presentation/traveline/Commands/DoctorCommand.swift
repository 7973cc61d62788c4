import Foundation
import TravelDataSQLite
import TravelDataShared
import TravelDomain
import TravelPresentation

#if PostgreSQL
import TravelDataPostgreSQL
#endif

/// `traveline doctor`: checks the database, its pictures, permissions or server, and version, and names a remedy for
/// each problem.
struct DoctorCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "doctor", summary: Text("checks the database, its pictures and permissions", "데이터베이스, 사진, 권한 점검하기"),
        usage: ["doctor [--json]"],
        notes: [
            Text(
                "Reads the whole database and all pictures, and changes nothing. The exit code is 0 if there are no "
                    + "problems, and 65 otherwise; each problem is reported with its remedy.",
                "데이터베이스와 사진을 모두 읽으며 아무것도 바꾸지 않습니다. 문제가 없으면 종료 코드가 0, 있으면 65이며, 문제마다 해결 방법이 나옵니다.")
        ],
        options: [.json],
        examples: [
            ("doctor", Text("check the database in your data directory", "데이터 폴더의 데이터베이스 점검")),
            (
                "doctor --database backup.sqlite --json",
                Text("check another database, and print JSON", "다른 것을 점검해 다른 프로그램에")
            ),
            (
                "doctor --database postgresql://db.example.org/travel",
                Text("check a database on a server", "서버의 데이터베이스 점검")
            ),
        ])

    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        try Self.rejectWords(arguments)
        store = try StoreOptions(arguments)
    }

    func run() async throws {
        let language = store.outputLanguage
        let location = try store.location().location
        let path = location.description
        let findings: [Finding]
        switch location {
        case .file(let path): findings = await Checkup(path: path, language: language).findings()
        case .server(let address):
            #if PostgreSQL
            findings = await ServerCheckup(address: address, language: language).findings()
            #else
            _ = address
            throw CommandError.withoutServers
            #endif
        }
        let isWell = findings.allSatisfy { $0.problem == nil }
        if store.isJSON {
            try Standard.write(JSONLine.text(Report(database: path, isWell: isWell, checks: findings)) + "\n")
        } else {
            let page = Page.standard
            let lines = findings.flatMap { finding in
                page.lines("\(finding.problem == nil ? "ok" : "!!")  \(finding.name): \(finding.detail)")
                    + (finding.remedy.map { page.lines("-> \($0)", indentation: 4) } ?? [])
            }
            try Standard.write(([path] + lines).map { $0 + "\n" }.joined())
        }
        if !isWell {
            let count = findings.count { $0.problem != nil }
            throw CommandError(
                "\(count) \(count == 1 ? "check has" : "checks have") found a problem",
                "문제가 있는 항목이 \(count)개입니다", .dataError)
        }
    }

    private struct Report: Encodable {
        let database: String
        let isWell: Bool
        let checks: [Finding]
    }
}

/// The result of a check.
struct Finding: Encodable, Sendable {
    /// The subject of the check, in the language of the user.
    let name: String
    let detail: String
    /// A machine-readable word such as `missing`, `damaged` or `open`; `nil` without a problem.
    let problem: String?
    let remedy: String?
}

/// Checks that put their findings into words.
protocol Checks {
    var language: Language { get }
}

extension Checks {
    func say(_ english: String, _ korean: String) -> String { language.say(english, korean) }

    func good(_ name: String, _ detail: String) -> Finding {
        Finding(name: name, detail: detail, problem: nil, remedy: nil)
    }

    func bad(_ name: String, _ detail: String, _ problem: String, _ remedy: String) -> Finding {
        Finding(name: name, detail: detail, problem: problem, remedy: remedy)
    }

    func unusable(_ name: String, _ error: any Error, _ remedy: String) -> Finding {
        bad(name, (error as? TravelError).map { CommandError($0).text(in: language) } ?? "\(error)", "unusable", remedy)
    }
}

/// The checks of a database file and what belongs to it.
struct Checkup: Checks {
    let path: String
    let language: Language

    /// All findings. A check that depends on an earlier one is omitted if that has failed.
    func findings() async -> [Finding] {
        let version = good(say("version", "버전"), "traveline \(Traveline.version)")
        guard !isMissing else {
            return [
                version,
                bad(
                    say("database", "데이터베이스"), say("there is no such file", "파일이 없습니다"), "missing",
                    say(
                        "any other command creates it; or specify another one with --database PATH",
                        "다른 명령을 쓰면 만들어집니다. 다른 파일은 --database PATH로 지정하세요")),
            ]
        }
        do {
            let database = try await TravelDatabase.open(path: path)
            let report = try await closing(database.close) { try await database.checkup() }
            return [version, permissions, opened(report), integrity(report), images(report)]
        } catch {
            // The permissions of what may be no database are not to be changed.
            return [
                version,
                unusable(
                    say("database", "데이터베이스"), error,
                    say(
                        "correct the problem, update traveline, or restore a backup",
                        "위 내용을 바로잡거나 traveline을 업데이트하거나 백업을 복원하세요")),
            ]
        }
    }

    /// Whether there is no file; one in a folder that may not be read is not missing.
    private var isMissing: Bool {
        var information = stat()
        return stat(path, &information) != 0 && [ENOENT, ENOTDIR].contains(errno)
    }

    private func opened(_ report: TravelDatabase.Checkup) -> Finding {
        good(
            say("database", "데이터베이스"),
            say(
                "\(language[.trips(report.trips)]), schema version \(report.schemaVersion)",
                "\(language[.trips(report.trips)]), 스키마 버전 \(report.schemaVersion)"))
    }

    private func integrity(_ report: TravelDatabase.Checkup) -> Finding {
        guard let first = report.problems.first else {
            return good(say("contents", "내용"), say("no damage found", "손상이 없습니다"))
        }
        let others = report.problems.count - 1
        return bad(
            say("contents", "내용"), first + (others > 0 ? say(" and \(others) more", " 외 \(others)개") : ""), "damaged",
            say(
                "save what can be read: traveline export --mine --output rescue.json; then remove the database and "
                    + "the file with its name and -wal, and restore a backup",
                "읽을 수 있는 것을 저장하세요: traveline export --mine --output rescue.json. 그다음 데이터베이스와 이름 뒤에 -wal이 붙은 파일을 "
                    + "지우고 백업을 복원하세요"))
    }

    private func images(_ report: TravelDatabase.Checkup) -> Finding {
        let name = say("pictures", "사진")
        if report.missingImages + report.damagedImages > 0 {
            return bad(
                name,
                say(
                    "\(report.missingImages) missing and \(report.damagedImages) damaged, of \(report.images)",
                    "\(report.images)개 중 없는 사진 \(report.missingImages)개, 손상된 사진 \(report.damagedImages)개"), "damaged",
                say(
                    "copy the folder \(path)-images from a backup beside the database",
                    "백업에서 \(path)-images 폴더를 데이터베이스 옆에 복사하세요"))
        }
        return good(name, say("\(report.images), all readable", "\(report.images)개 모두 읽을 수 있습니다"))
    }

    /// Whether only the owner can read and write the file and the pictures.
    private var permissions: Finding {
        let name = say("permissions", "권한")
        let open = [path, path + "-images"].filter { file in
            // What does not exist has no permissions, and those of a link say nothing.
            let target = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
            let attributes = try? FileManager.default.attributesOfItem(atPath: target)
            return (attributes?[.posixPermissions] as? Int).map { $0 & 0o077 != 0 } ?? false
        }
        if open.isEmpty { return good(name, say("only you can read them", "나만 읽을 수 있습니다")) }
        let files = open.map { "'\($0)'" }.joined(separator: " ")
        return bad(
            name, say("others on this computer can read your trips", "이 컴퓨터의 다른 사람이 여행을 읽을 수 있습니다"), "open",
            "chmod -R go= \(files)")
    }
}

#if PostgreSQL
/// The checks of a database on a PostgreSQL server.
struct ServerCheckup: Checks {
    let address: DatabaseAddress
    let language: Language

    /// The difference of two clocks, in seconds, from which on new trips would be sorted wrongly.
    private static let toleratedDifference = 5.0

    /// All findings. Checks that need an earlier one to be well are left out when it is not.
    func findings() async -> [Finding] {
        let version = good(say("version", "버전"), "traveline \(Traveline.version)")
        do {
            let report = try await PostgreSQLTravelDatabase.checkup(.url(address.text))
            let first = [version, server(report), schema(report), clock(report)]
            return report.isCurrent ? first + [contents(report), searches(report), images(report)] : first
        } catch {
            return [
                version,
                unusable(
                    say("server", "서버"), error,
                    say(
                        "correct the problem, or check with psql what the server answers",
                        "위 내용을 바로잡거나 psql로 서버의 답을 확인하세요")),
            ]
        }
    }

    private func server(_ report: PostgreSQLTravelDatabase.Checkup) -> Finding {
        let encryption =
            switch report.isEncrypted {
            case true?: say(", encrypted", ", 암호화됨")
            case false?: say(", not encrypted", ", 암호화되지 않음")
            case nil: ""
            }
        return good(say("server", "서버"), "PostgreSQL \(report.serverVersion)\(encryption)")
    }

    private func schema(_ report: PostgreSQLTravelDatabase.Checkup) -> Finding {
        let (found, known) = (report.schemaVersion, report.knownSchemaVersion)
        let name = say("database", "데이터베이스")
        if found > known {
            return bad(
                name,
                say(
                    "schema version \(found); this traveline supports \(known)",
                    "스키마 버전 \(found), 이 traveline은 \(known)까지"),
                "newer", say("update traveline", "traveline을 업데이트하세요"))
        }
        if found < known, let grant = report.missingGrant {
            return bad(
                name,
                say(
                    "schema version \(found) of \(known), and this user may not create tables",
                    "스키마 버전 \(known) 중 \(found), 이 사용자는 테이블을 만들 수 없습니다"),
                "refused",
                say("as the owner of the database, run: \(grant)", "데이터베이스 소유자로 실행하세요: \(grant)"))
        }
        if found < known {
            return bad(
                name, say("schema version \(found) of \(known)", "스키마 버전 \(known) 중 \(found)"),
                found == 0 ? "missing" : "older",
                say("any other command updates it", "다른 명령을 쓰면 최신으로 바뀝니다"))
        }
        return good(
            name,
            say(
                "\(language[.trips(report.trips)]) of \(report.users) people, schema version \(found)",
                "\(report.users)명의 \(language[.trips(report.trips)]), 스키마 버전 \(found)"))
    }

    private func clock(_ report: PostgreSQLTravelDatabase.Checkup) -> Finding {
        let name = say("clock", "시계")
        let seconds = Int(report.clockDifference.rounded())
        if abs(report.clockDifference) > Self.toleratedDifference {
            return bad(
                name,
                say(
                    "the server is \(abs(seconds)) seconds \(seconds > 0 ? "ahead" : "behind")",
                    "서버가 \(abs(seconds))초 \(seconds > 0 ? "빠릅니다" : "느립니다")"), "skewed",
                say("synchronize both clocks with NTP: the newest trips come first", "최신순이 맞도록 두 시계를 NTP로 맞추세요"))
        }
        return good(name, say("the same as here", "이 기기와 같습니다"))
    }

    private func contents(_ report: PostgreSQLTravelDatabase.Checkup) -> Finding {
        let name = say("contents", "내용")
        if report.wrongTrips > 0 {
            return bad(
                name,
                say(
                    "\(language[.trips(report.wrongTrips)]) with a wrong number of likes or reports, or a wrong picture",
                    "좋아요나 신고 수, 대표 사진이 틀린 \(language[.trips(report.wrongTrips)])"), "damaged",
                say("restore a backup, or copy the database into another", "백업을 복원하거나 다른 데이터베이스로 복사하세요"))
        }
        return good(name, say("no damage found", "손상이 없습니다"))
    }

    private func searches(_ report: PostgreSQLTravelDatabase.Checkup) -> Finding {
        let name = say("searches", "검색")
        if report.misplacedTrips > 0 {
            return bad(
                name,
                say(
                    "\(language[.trips(report.misplacedTrips)]) missed or misplaced by searches",
                    "검색에서 빠지거나 잘못 놓이는 \(language[.trips(report.misplacedTrips)])"), "damaged",
                say(
                    "copy the database into another, which rebuilds the search index",
                    "다른 데이터베이스로 복사하면 검색에 쓰이는 값을 다시 계산합니다"))
        }
        return good(name, say("all trips are found", "모든 여행을 찾을 수 있습니다"))
    }

    private func images(_ report: PostgreSQLTravelDatabase.Checkup) -> Finding {
        let name = say("pictures", "사진")
        if report.missingImages > 0 {
            return bad(
                name, say("\(report.missingImages) missing", "없는 사진 \(report.missingImages)개"), "damaged",
                say("restore a backup", "백업을 복원하세요"))
        }
        return good(name, say("\(report.images), none missing", "\(report.images)개, 빠진 사진 없음"))
    }
}
#endif
