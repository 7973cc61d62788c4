#if PostgreSQL
import Foundation
import PostgreSQLStoreTesting
import Synchronization
import TestConcurrency
import Testing
import TravelDataPostgreSQL
import TravelDataSQLite
import TravelDataShared
import TravelDomain

@testable import traveline

@Suite(
    "The command line on a PostgreSQL server",
    .enabled(
        if: PostgreSQLServer.isAvailable && PostgreSQLServer.isOwned && Program.isBuilt,
        "no PostgreSQL server of its own: install the Debian package postgresql"),
    .limitedConcurrency)
struct PostgreSQLCommandTests {
    /// Calls `body` with the URL of an empty schema.
    private func withServer(_ body: (_ url: String) async throws -> Void) async throws {
        let server = try await PostgreSQLServer.shared
        let folder = try #require(server.folder)
        let schema = "test_\(UUID().uuidString.lowercased().prefix(13))".replacing("-", with: "")
        let admin = try await Database.open(server.location)
        try await admin.writeWithoutTransaction { db in
            _ = try db.execute("CREATE SCHEMA \(identifier: schema)")
        }
        let url = "postgresql:///postgres?host=\(folder)&user=postgres&options=-csearch_path%3D\(schema)"
        do {
            try await body(url)
            try await admin.writeWithoutTransaction { db in
                _ = try db.execute("DROP SCHEMA \(identifier: schema) CASCADE")
            }
            await admin.close()
        } catch {
            await admin.close()
            throw error
        }
    }

    private func open(_ url: String) async throws -> PostgreSQLTravelDatabase {
        try await PostgreSQLTravelDatabase.open(
            .url(url), configuration: Database.Configuration().with { $0.retryCount = 0 })
    }

    private func copy(
        _ source: any CopiedStore, to target: any CopiedStore, _ policy: CopyPolicy = .requireEmpty
    ) async throws -> StoreSummary {
        try await StoreCopy(source: source, target: target, policy: policy, progress: { _, _ in }).run()
    }

    @Test("every command works on a server, named by an option or by the environment")
    func commands() async throws {
        try await withServer { url in
            let command = """
                owner() { local name=$1; shift; $traveline $name --owner "$@"; } &&
                export TRAVELINE_DATABASE='\(url)' &&
                $traveline seed --samples > out && owner search --limit 3 --json > list 2> note &&
                id=$(owner write --title 밤바다 --region busan --from 2024-05-01 --days 2 | cut -d ' ' -f 1) &&
                owner write --in $id --title 아침 --text 바다 > out && owner edit $id --budget under10 > out &&
                owner like $id > out && owner show $id | head -n 1 && owner map 0326c600 > out &&
                owner export $id --output trip.json 2> note && owner show $id --json > before &&
                owner delete $id --yes > out 2> note && owner undo > out &&
                owner show $id --json | cmp before - && owner delete $id --entry 1 --yes > out 2> note &&
                owner undo | grep -q 아침 && owner delete $id --yes > out 2> note &&
                owner import trip.json > out && owner me trips | wc -l && owner me rename 민지 &&
                owner me && $traveline completion ids 0326c6 && $traveline doctor &&
                $traveline seed --count 40 > out && unset TRAVELINE_DATABASE &&
                owner search --database '\(url)' --limit 200 2> note | wc -l
                """
            try Program.run(command) { result, _ in
                #expect(result.status == 0, "\(result.output)\(result.error)")
                let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                #expect(lines.first?.contains("밤바다") == true)
                #expect(lines.contains("나그네 is now 민지") && lines.contains("민지"))
                #expect(lines.contains { $0.hasPrefix("0326c600-") && $0.hasSuffix("춘향이도 몰랐던 남원") })
                #expect(lines.contains { $0.hasPrefix("ok server: PostgreSQL ") })
                #expect(lines.contains { $0.hasPrefix("ok database: 80 trips of") })
                #expect(lines.last == "120")
            }
        }
    }

    @Test("a file is copied to a server and back, and both have every row")
    func thereAndBack() async throws {
        try await withServer { url in
            let (source, back) = (try await TravelDatabase.temporary(), try await TravelDatabase.temporary())
            try await CopiedTrips.fill(source.trips, source.accounts)
            let server = try await open(url)
            let copied = try await copy(source, to: server)
            #expect(StoreSummary.Kind.allCases.allSatisfy { copied.count(of: $0) > 0 })
            #expect(try await CopiedTrips.summary(of: server) == copied)
            #expect(try await copy(server, to: back) == copied)
            #expect(try await CopiedTrips.summary(of: back) == CopiedTrips.summary(of: source))
            for sort in [TripSort.newest, .mostLiked] {
                let query = try TripQuery(TripCriteria(sort: sort), viewer: nil, limit: 20)
                let expected = try await source.trips.search(query).trips
                #expect(try await server.trips.search(query).trips == expected)
                #expect(try await back.trips.search(query).trips == expected)
            }
            let report = try await PostgreSQLTravelDatabase.checkup(.url(url))
            #expect(report.wrongTrips == 0 && report.missingImages == 0 && report.isCurrent)
            await server.close()
            await source.close()
            await back.close()
        }
    }

    @Test("a server with content is refused, and replaced if asked")
    func usedTarget() async throws {
        try await withServer { url in
            let source = try await TravelDatabase.temporary()
            try await CopiedTrips.fill(source.trips, source.accounts)
            let server = try await open(url)
            try await CopiedTrips.fill(server.trips, server.accounts)
            let before = try await CopiedTrips.summary(of: server)
            await #expect(throws: StoreNotEmpty.self) { try await copy(source, to: server) }
            #expect(try await CopiedTrips.summary(of: server) == before)
            let copied = try await copy(source, to: server, .replace)
            #expect(try await CopiedTrips.summary(of: server) == copied)
            await server.close()
            await source.close()
        }
    }

    @Test("a connection that is lost in the middle of a copy leaves the server unchanged", arguments: [2, 12, 25])
    func lostConnection(count: Int) async throws {
        try await withServer { url in
            let source = try await TravelDatabase.temporary()
            try await CopiedTrips.fill(source.trips, source.accounts)
            let name = "copy-\(UUID().uuidString.prefix(8))"
            let server = try await open("\(url)&application_name=\(name)")
            try await CopiedTrips.fill(server.trips, server.accounts)
            let before = try await CopiedTrips.summary(of: server)
            let admin = try await Database.open(PostgreSQLServer.shared.location)
            let cut = InterruptedStore(base: server, count: count) {
                // In the transaction of the copy, on its thread, which may wait.
                try admin.blockingWrite { db in
                    _ = try db.fetchAll(
                        Bool.self,
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = \(name)")
                }
            }
            await #expect(throws: TravelError.self) { try await copy(source, to: cut, .replace) }
            #expect(try await CopiedTrips.summary(of: server) == before)
            await admin.close()
            await server.close()
            await source.close()
        }
    }

    @Test("a copy whose process is killed leaves the server unchanged or complete", arguments: [0.1, 0.4, 0.9])
    func killed(delay: Double) async throws {
        try await withServer { url in
            // Makes the schema, so that only the copy is interrupted.
            await (try open(url)).close()
            let command = """
                $traveline seed --count 600 --database big.sqlite > out &&
                ($traveline copy --database big.sqlite --to '\(url)' > copied 2>&1 & pid=$!; sleep \(delay)
                kill -9 $pid 2> note; wait $pid); true
                """
            try Program.run(command) { _, _ in }
            let server = try await open(url)
            let summary = try await CopiedTrips.summary(of: server)
            #expect([0, 600].contains(summary.count(of: .trips)))
            #expect((summary.count(of: .trips) == 0) == (summary.count(of: .users) == 0))
            await server.close()
        }
    }

    @Test("after a copy, the person is signed in on the server as they were in the file")
    func session() async throws {
        try await withServer { url in
            let command = """
                $traveline me sign-in 민지 && $traveline copy --to '\(url)' > out && $traveline me --owner --database '\(url)' &&
                $traveline copy --database '\(url)' --to new.sqlite > out && $traveline me --owner --database new.sqlite
                """
            try Program.run(command) { result, _ in
                #expect(result.status == 0, "\(result.error)")
                #expect(result.output.components(separatedBy: "민지\n").count == 4)
            }
        }
    }

    @Test("a server error is one line that names the server, without the password, and an exit code")
    func errors() async throws {
        try await withServer { url in
            let folder = try #require(try await PostgreSQLServer.shared.folder)
            let cases = [
                (
                    "postgresql://mina:s3cret@127.0.0.1:1/travel", "postgresql://mina@127.0.0.1:1/travel: ",
                    "cannot be reached", 75
                ),
                (
                    "postgresql://postgres:s3cret@/none?host=\(folder)", "postgresql://postgres@/none: ",
                    "no such database", 69
                ),
                (
                    "postgresql://none:s3cret@/postgres?host=\(folder)", "postgresql://none@/postgres: ",
                    "refuses access", 69
                ),
                (
                    "postgresql://postgres:s3cret@/postgres?host=\(folder)&sslmode=misspelt",
                    "postgresql://postgres@/postgres: ", "invalid sslmode value", 69
                ),
                ("postgresql://?service=none", "postgresql://?service=none: ", "not in the service file", 69),
            ]
            for (address, prefix, text, code) in cases {
                for option in ["search --owner --database", "copy --database", "copy --to"] {
                    let rest = option == "copy --database" ? "--to new.sqlite" : ""
                    try Program.run("$traveline search > list 2> note; $traveline \(option) '\(address)' \(rest)") {
                        result, _ in
                        #expect(result.status == code, "\(option) \(address)")
                        #expect(
                            result.error.hasPrefix("traveline: \(prefix)") && result.error.contains(text),
                            "\(result.error)")
                        #expect(result.error.split(separator: "\n").count == 1)
                        #expect(!(result.error + result.output).contains("s3cret"))
                    }
                }
                try Program.run("$traveline doctor --lang ko --database '\(address)'") { result, _ in
                    #expect(result.status == 65)
                    #expect(result.output.contains("!! ") && result.output.contains("서버"))
                    #expect(!(result.error + result.output).contains("s3cret"))
                }
            }
        }
    }

    @Test("doctor changes nothing in a database without tables, and one of a newer version is refused untouched")
    func schemas() async throws {
        try await withServer { url in
            try Program.run("$traveline doctor --database '\(url)'; $traveline completion ids") { result, _ in
                #expect(result.output.contains("schema version 0 of"))
            }
            let admin = try await Database.open(.url(url))
            func tables() async throws -> Int {
                try await admin.read { db in
                    try db.fetchOne(
                        Int.self,
                        "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace") ?? 0
                }
            }
            #expect(try await tables() == 0)
            await (try open(url)).close()
            try await admin.write { db in
                _ = try db.execute(
                    "INSERT INTO schema_migrations (position, name, digest) VALUES (1000, 'of the future', '0')")
            }
            try Program.run("$traveline doctor --database '\(url)'; $traveline search --owner --database '\(url)'") {
                result, _ in
                #expect(result.output.contains("update traveline"))
                #expect(result.error.contains("was written by a newer version"))
                #expect(result.status == 69)
            }
            await admin.close()
        }
    }

    @Test("doctor prints the grant by which the owner lets another user create the tables")
    func doctorPrintsTheMissingGrant() async throws {
        let server = try await PostgreSQLServer.shared
        let folder = try #require(server.folder)
        let name = "guest_\(UInt32.random(in: 0 ... .max))"
        let admin = try await Database.open(server.location)
        try await admin.writeWithoutTransaction { db in
            try db.executeScript(
                """
                CREATE ROLE \(name) LOGIN; CREATE SCHEMA \(name); GRANT USAGE ON SCHEMA \(name) TO \(name);
                ALTER ROLE \(name) SET search_path = \(name)
                """)
        }
        let url = "postgresql://\(name)@/postgres?host=\(folder)"
        try Program.run("$traveline doctor --database '\(url)'; $traveline search --owner --database '\(url)'") {
            result, _ in
            // The text is wrapped.
            let text = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains("GRANT USAGE, CREATE ON SCHEMA \(name) TO \(name)"), "\(text)")
            #expect(result.error.contains("GRANT") && !result.error.contains("password"), "\(result.error)")
            #expect(result.status == 69)
        }
        try await admin.writeWithoutTransaction { db in
            try db.executeScript("DROP SCHEMA \(name) CASCADE; DROP ROLE \(name)")
        }
        await admin.close()
    }

    @Test(
        "doctor finds what searches use and does not follow from the trips, and a copy mends it",
        arguments: [
            "UPDATE trip SET terms = terms[2:]", "UPDATE trip SET title_key = title_key || 'x'",
            "UPDATE trip_rank SET traits = traits + (1::bigint << 47)", "UPDATE trip_rank SET cell = cell + 1",
            "UPDATE trip_rank SET signature = 0", "UPDATE trip_rank SET created_at = created_at + 1",
            "UPDATE trip_rank SET author = (SELECT max(id::text)::uuid FROM app_user WHERE id <> author)",
            "UPDATE liked SET created_at = created_at - 1",
        ])
    func searches(damage: String) async throws {
        try await withServer { url in
            let server = try await open(url)
            try await CopiedTrips.fill(server.trips, server.accounts)
            #expect(try await PostgreSQLTravelDatabase.checkup(.url(url)).misplacedTrips == 0)
            let admin = try await Database.open(.url(url))
            try await admin.writeWithoutTransaction { db in try db.executeScript(damage) }
            await admin.close()
            #expect(try await PostgreSQLTravelDatabase.checkup(.url(url)).misplacedTrips > 0)
            let back = try await TravelDatabase.temporary()
            _ = try await copy(server, to: back)
            _ = try await copy(back, to: server, .replace)
            #expect(try await PostgreSQLTravelDatabase.checkup(.url(url)).misplacedTrips == 0)
            await back.close()
            await server.close()
        }
    }

    @Test("a trip without its row of the order is found by doctor, and not left out of a copy in silence")
    func missingRank() async throws {
        try await withServer { url in
            let server = try await open(url)
            try await CopiedTrips.fill(server.trips, server.accounts)
            let admin = try await Database.open(.url(url))
            try await admin.write { db in
                _ = try db.execute(
                    "DELETE FROM trip_rank WHERE trip = (SELECT trip FROM trip_rank LIMIT 1)")
            }
            await admin.close()
            #expect(try await PostgreSQLTravelDatabase.checkup(.url(url)).misplacedTrips == 1)
            let back = try await TravelDatabase.temporary()
            await #expect(throws: TravelError.self) { try await copy(server, to: back) }
            try Program.run("$traveline doctor --database '\(url)'") { result, _ in
                #expect(result.status == 65)
                #expect(result.output.contains("1 trip missed or misplaced by searches"), "\(result.output)")
            }
            await back.close()
            await server.close()
        }
    }

    @Test("doctor finds a wrong number of likes and a missing picture")
    func damage() async throws {
        try await withServer { url in
            let server = try await open(url)
            try await CopiedTrips.fill(server.trips, server.accounts)
            await server.close()
            let admin = try await Database.open(.url(url))
            try await admin.write { db in
                try db.execute("DELETE FROM liked WHERE trip = (SELECT trip FROM liked LIMIT 1)")
                _ = try db.execute("DELETE FROM image")
            }
            await admin.close()
            try Program.run("$traveline doctor --database '\(url)' --json") { result, _ in
                #expect(result.status == 65)
                #expect(result.output.contains("1 trip with a wrong number of likes"))
                #expect(result.output.contains("2 missing"))
            }
        }
    }
}
#endif
