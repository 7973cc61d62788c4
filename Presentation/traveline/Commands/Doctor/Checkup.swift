import Foundation
import TravelDataSQLite
import TravelDomain
import TravelPresentation

/// The checks of a database file and what belongs to it.
struct Checkup {
    /// The result of a check.
    struct Finding: Encodable, Sendable {
        /// The subject of the check, in the language of the person.
        let name: String
        /// The result in words.
        let detail: String
        /// A machine-readable word such as `missing`, `damaged` or `open`; `nil` without a problem.
        let problem: String?
        /// The remedy, if there is one.
        let remedy: String?
    }

    let path: String
    let language: Language

    /// All findings. A check that depends on an earlier one is omitted if that has failed.
    func findings() async -> [Finding] {
        let version = good(say("version", "버전"), "traveline \(Traveline.version)")
        guard FileManager.default.fileExists(atPath: path) else {
            return [
                version,
                bad(
                    say("database", "데이터베이스"), say("there is no such file", "파일이 없습니다"), "missing",
                    say(
                        "any other command creates it; or name another one with --database PATH",
                        "다른 명령을 쓰면 만들어집니다. 다른 파일은 --database PATH로 지정하세요")),
            ]
        }
        do {
            let database = try await TravelDatabase.open(path: path)
            let report: TravelDatabase.Checkup
            do {
                report = try await database.checkup()
            } catch {
                await database.close()
                throw error
            }
            await database.close()
            return [version, permissions, opened(report), integrity(report), images(report)]
        } catch {
            let message = (error as? TravelError).map { CommandError($0, in: language).description } ?? "\(error)"
            return [
                version, permissions,
                bad(
                    say("database", "데이터베이스"), message, "unusable",
                    say(
                        "correct what it says, update traveline, or restore a backup",
                        "위 내용을 바로잡거나 traveline을 업데이트하거나 백업을 복원하세요")),
            ]
        }
    }

    private func opened(_ report: TravelDatabase.Checkup) -> Finding {
        good(
            say("database", "데이터베이스"),
            say(
                "\(language.trips(report.travels)), schema version \(report.schemaVersion)",
                "\(language.trips(report.travels)), 스키마 버전 \(report.schemaVersion)"))
    }

    private func integrity(_ report: TravelDatabase.Checkup) -> Finding {
        guard let first = report.problems.first else {
            return good(say("contents", "내용"), say("no damage found", "손상이 없습니다"))
        }
        let others = report.problems.count - 1
        return bad(
            say("contents", "내용"), first + (others > 0 ? say(" and \(others) more", " 외 \(others)개") : ""), "damaged",
            say(
                "restore a backup, or save what can be read: traveline export --mine --output rescue.json",
                "백업을 복원하거나 읽을 수 있는 것을 저장하세요: traveline export --mine --output rescue.json"))
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
            // What does not exist has no permissions.
            let attributes = try? FileManager.default.attributesOfItem(atPath: file)
            return (attributes?[.posixPermissions] as? Int).map { $0 & 0o077 != 0 } ?? false
        }
        if open.isEmpty { return good(name, say("only you can read them", "나만 읽을 수 있습니다")) }
        let files = open.map { "'\($0)'" }.joined(separator: " ")
        return bad(
            name, say("others on this computer can read your trips", "이 컴퓨터의 다른 사람이 여행을 읽을 수 있습니다"), "open",
            "chmod -R go= \(files)")
    }

    private func say(_ english: String, _ korean: String) -> String { language.say(english, korean) }

    private func good(_ name: String, _ detail: String) -> Finding {
        Finding(name: name, detail: detail, problem: nil, remedy: nil)
    }

    private func bad(_ name: String, _ detail: String, _ problem: String, _ remedy: String) -> Finding {
        Finding(name: name, detail: detail, problem: problem, remedy: remedy)
    }
}
