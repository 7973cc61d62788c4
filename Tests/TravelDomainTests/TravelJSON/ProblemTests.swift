import Foundation
import TestConcurrency
import Testing
import TravelDomainTesting
import TravelJSON

@Suite("Problems", .limitedConcurrency)
struct ProblemTests {
    private static let subjects: [TravelError.Subject] = [
        .trip(.init(seed: 1)), .entry(.init(seed: 2)), .user(.init(seed: 3)), .image(.init(seed: 4)),
    ]

    private static let fields: [Violation.Field] = [
        .title, .text, .dates, .date, .day, .time, .timeZone, .coordinate, .placeName, .placeAddress, .nickname,
        .password, .cursor, .limit, .track, .image, .likeCount, .session, .timeline, .version, .invitation,
        .pictures, .pictureText, .audience,
    ]

    private static let rules: [Violation.Rule] = [
        .tooShort(minimum: 1), .tooLong(maximum: 60), .controlCharacter, .malformed(expected: "a \"day\""),
        .outOfRange("1…2"), .endsBeforeItBegins, .foreignCursor, .empty, .tooLarge(maximumBytes: 10 << 20),
        .tooMany(maximum: 1_000), .tooManyScalars(maximum: 32), .keepsMetadata, .closed, .repeated,
        .unusableCharacter("\u{200B}"), .unusableCharacter("🌊"), .mixedScripts, .invisible, .common,
        .entriesInTheWay([.init(seed: 1), .init(seed: 2)]),
        .entriesInTheWay([]),
    ]

    private static let causes: [TravelError.Outage.Cause] = [
        .busy, .diskFull, .newerVersion, .earlierVersion, .notATravelDatabase, .damaged, .inaccessible, .fileExists,
        .unreachable, .accessRefused, .missingPrivilege, .invalidAddress, .noSuchDatabase, .otherEncoding, .notSecure,
        .readOnly, .damagedSession, .serverBusy, .serverFailure, .otherVersion, .other, .init(name: "maintenance"),
    ]

    private static func errors() throws -> [TravelError] {
        var errors = subjects.flatMap { [TravelError.notFound($0), .forbidden($0), .refused($0), .conflict($0)] }
        var samples = TripGenerator(seed: 1)
        let author = try samples.user()
        errors += try samples.trips(5, by: [author]).map { .outdated($0) }
        errors += fields.flatMap { field in rules.map { .invalid(Violation(field, $0)) } }
        errors += causes.flatMap { cause in
            [true, false].map { .unavailable(.init("The store \"x\" rests.", cause: cause, canRetry: $0)) }
        }
        return errors + [.signedOut, .wrongCredentials]
    }

    @Test("the error that a client throws is the one that the store threw")
    func exactErrors() throws {
        let errors = try Self.errors()
        #expect(errors.count > 260)
        for error in errors {
            let problem = Problem(error, request: "1f2e")
            let read = try JSONCoding.value(Problem.self, in: JSONCoding.data(for: problem))
            #expect(read == problem)
            #expect(read.error == error)
            #expect(read.detail == error.description)
        }
    }

    @Test(
        "an error has the status of its kind",
        arguments: [
            (TravelError.notFound(.user(.init(seed: 1))), 404), (.forbidden(.user(.init(seed: 1))), 403),
            (.refused(.image(.init(seed: 1))), 422), (.conflict(.user(.init(seed: 1))), 409),
            (.invalid(.init(.title, .empty)), 422), (.signedOut, 401), (.wrongCredentials, 401),
            (.unavailable(.init("Full.", cause: .diskFull, canRetry: false)), 503),
        ])
    func statuses(error: TravelError, status: Int) {
        #expect(Problem(error).status == status)
    }

    @Test("a trip that is outdated is 412 with the trip as it is now")
    func outdated() throws {
        let trip = try TripBuilder(seed: 1).build()
        let problem = Problem(.outdated(trip))
        let json = try JSONSerialization.jsonObject(with: JSONCoding.data(for: problem)) as? [String: Any]
        #expect(problem.status == 412)
        #expect((json?["current"] as? [String: Any])?["id"] as? String == trip.id.description)
        #expect(json?["cause"] as? String == "outdated")
        #expect(json?["type"] as? String == "about:blank")
        #expect(json?["title"] as? String == "Precondition Failed")
    }

    @Test(
        "a problem with parts that are unknown here is an outage with its sentence",
        arguments: [
            "{\"status\":409,\"cause\":\"paid\",\"detail\":\"Pay first.\"}",
            "{\"status\":422,\"cause\":\"invalid\",\"field\":\"shoe\",\"rule\":{\"name\":\"empty\"},\"detail\":\"Pay first.\"}",
            "{\"status\":422,\"cause\":\"invalid\",\"field\":\"title\",\"rule\":{\"name\":\"odd\"},\"detail\":\"Pay first.\"}",
            "{\"status\":404,\"cause\":\"notFound\",\"subject\":{\"kind\":\"shoe\",\"id\":\"1\"},\"detail\":\"Pay first.\"}",
            "{\"status\":412,\"cause\":\"outdated\",\"current\":{},\"detail\":\"Pay first.\"}",
            "{\"status\":404,\"title\":\"Pay first.\"}",
        ])
    func unknownParts(json: String) throws {
        let problem = try JSONCoding.value(Problem.self, in: Data(json.utf8))
        #expect(problem.error == .unavailable(.init("Pay first.", canRetry: false)))
    }

    @Test(
        "errors of the interface say what is wrong with the server, and whether a retry may help",
        arguments: [
            (Problem.Cause.tooManyRequests, 429, TravelError.Outage.Cause.serverBusy, true),
            (.requestTimeout, 408, .unreachable, true), (.internalError, 500, .serverFailure, true),
            (.malformed, 400, .other, false), (.bodyTooLarge, 413, .other, false),
        ])
    func interfaceErrors(cause: Problem.Cause, status: Int, outage: TravelError.Outage.Cause, canRetry: Bool) {
        let error = Problem(cause, status: status, "No.").error
        #expect(error == .unavailable(.init("No.", cause: outage, canRetry: canRetry)))
    }

    @Test("a body that breaks a rule is 422 with the field, and one of another form is 400, both with the path")
    func bodies() {
        let violation = Violation(.title, .empty)
        let broken = Problem(TravelJSONError(.invalid(violation), at: "title"))
        #expect((broken.status, broken.path) == (422, "title"))
        #expect(broken.error == .invalid(violation))
        let malformed = Problem(TravelJSONError(.missing(key: "day"), at: "timeline[2]"))
        #expect((malformed.status, malformed.path) == (400, "timeline[2]"))
        #expect(malformed.cause == .malformed)
    }
}
