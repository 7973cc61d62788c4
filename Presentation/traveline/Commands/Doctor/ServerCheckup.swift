#if PostgreSQL
    import Foundation
    import TravelDataPostgreSQL
    import TravelDomain
    import TravelPresentation

    /// The checks of a database on a PostgreSQL server.
    struct ServerCheckup {
        let address: ServerAddress
        let language: Language

        /// The difference of two clocks, in seconds, from which on new trips would be sorted wrongly.
        private static let toleratedDifference = 5.0

        /// All findings. Checks that need an earlier one to be well are left out when it is not.
        func findings() async -> [Checkup.Finding] {
            let version = good(say("version", "버전"), "traveline \(Traveline.version)")
            do {
                let report = try await PostgreSQLTravelDatabase.checkup(.url(address.text))
                let first = [version, server(report), schema(report), clock(report)]
                return report.isCurrent ? first + [contents(report), searches(report), images(report)] : first
            } catch {
                let message = (error as? TravelError).map { CommandError($0, in: language).description } ?? "\(error)"
                return [
                    version,
                    bad(
                        say("server", "서버"), message, "unusable",
                        say(
                            "correct what it says, or try with psql what the server answers",
                            "위 내용을 바로잡거나 psql로 서버의 답을 확인하세요")),
                ]
            }
        }

        private func server(_ report: PostgreSQLTravelDatabase.Checkup) -> Checkup.Finding {
            let encryption =
                switch report.isEncrypted {
                case true?: say(", encrypted", ", 암호화됨")
                case false?: say(", not encrypted", ", 암호화되지 않음")
                case nil: ""
                }
            return good(say("server", "서버"), "PostgreSQL \(report.serverVersion)\(encryption)")
        }

        private func schema(_ report: PostgreSQLTravelDatabase.Checkup) -> Checkup.Finding {
            let (found, known) = (report.schemaVersion, report.knownSchemaVersion)
            let name = say("database", "데이터베이스")
            if found > known {
                return bad(
                    name,
                    say(
                        "schema version \(found), and this traveline knows \(known)",
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
                    say("any other command brings it up to date", "다른 명령을 쓰면 최신으로 바뀝니다"))
            }
            return good(
                name,
                say(
                    "\(language.trips(report.travels)) of \(report.people) people, schema version \(found)",
                    "\(report.people)명의 \(language.trips(report.travels)), 스키마 버전 \(found)"))
        }

        private func clock(_ report: PostgreSQLTravelDatabase.Checkup) -> Checkup.Finding {
            let name = say("clock", "시계")
            let seconds = Int(report.clockDifference.rounded())
            if abs(report.clockDifference) > Self.toleratedDifference {
                return bad(
                    name,
                    say(
                        "the server is \(abs(seconds)) seconds \(seconds > 0 ? "ahead" : "behind")",
                        "서버가 \(abs(seconds))초 \(seconds > 0 ? "빠릅니다" : "느립니다")"), "skewed",
                    say("set both clocks with NTP: the newest trips come first", "최신순이 맞도록 두 시계를 NTP로 맞추세요"))
            }
            return good(name, say("the same as here", "이 기기와 같습니다"))
        }

        private func contents(_ report: PostgreSQLTravelDatabase.Checkup) -> Checkup.Finding {
            let name = say("contents", "내용")
            if report.wrongTravels > 0 {
                return bad(
                    name,
                    say(
                        "\(language.trips(report.wrongTravels)) with a wrong number of likes or reports, or a wrong picture",
                        "좋아요나 신고 수, 대표 사진이 틀린 \(language.trips(report.wrongTravels))"), "damaged",
                    say("restore a backup, or copy the database into another", "백업을 복원하거나 다른 데이터베이스로 복사하세요"))
            }
            return good(name, say("no damage found", "손상이 없습니다"))
        }

        private func searches(_ report: PostgreSQLTravelDatabase.Checkup) -> Checkup.Finding {
            let name = say("searches", "검색")
            if report.misplacedTravels > 0 {
                return bad(
                    name,
                    say(
                        "\(language.trips(report.misplacedTravels)) missed or misplaced by searches",
                        "검색에서 빠지거나 잘못 놓이는 \(language.trips(report.misplacedTravels))"), "damaged",
                    say(
                        "copy the database into another, which computes again what searches use",
                        "다른 데이터베이스로 복사하면 검색에 쓰이는 값을 다시 계산합니다"))
            }
            return good(name, say("all trips are found", "모든 여행을 찾을 수 있습니다"))
        }

        private func images(_ report: PostgreSQLTravelDatabase.Checkup) -> Checkup.Finding {
            let name = say("pictures", "사진")
            if report.missingImages > 0 {
                return bad(
                    name, say("\(report.missingImages) missing", "없는 사진 \(report.missingImages)개"), "damaged",
                    say("restore a backup", "백업을 복원하세요"))
            }
            return good(name, say("\(report.images), none missing", "\(report.images)개, 빠진 사진 없음"))
        }

        private func say(_ english: String, _ korean: String) -> String { language.say(english, korean) }

        private func good(_ name: String, _ detail: String) -> Checkup.Finding {
            Checkup.Finding(name: name, detail: detail, problem: nil, remedy: nil)
        }

        private func bad(_ name: String, _ detail: String, _ problem: String, _ remedy: String) -> Checkup.Finding {
            Checkup.Finding(name: name, detail: detail, problem: problem, remedy: remedy)
        }
    }
#endif
