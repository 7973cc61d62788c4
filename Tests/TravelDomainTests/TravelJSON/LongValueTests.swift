import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelJSON

/// Work on the characters of a text grows faster than a text of one character with many marks.
@Suite("Long values in JSON", .limitedConcurrency)
struct LongValueTests {
    private static let marks = "a" + String(repeating: "\u{315}\u{300}\u{5AE}", count: 200_000)

    private struct Values: Decodable {
        enum Key: String, CodingKey { case region, day, time, moment, id, token }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            if let _: Region = try values.optionalChoice(.region) {}
            if try values.has(.day) { _ = try values.value(.day, as: String.self, CalendarDay.init) }
            if try values.has(.time) { _ = try values.value(.time, as: String.self, TimeOfDay.init) }
            if try values.has(.moment) { _ = try values.date(.moment) }
            if let _: Trip.ID = try values.optionalID(.id) {}
        }
    }

    @Test(
        "of identifiers, days, times and names of members are refused by their bytes",
        arguments: ["region", "day", "time", "moment", "id", nil])
    func areRefused(name: String?) {
        let json = name.map { "{\"\($0)\":\"\(Self.marks)\"}" } ?? "{\"\(Self.marks)\":1}"
        #expect(throws: TravelJSONError.self) { try JSONCoding.value(Values.self, in: Data(json.utf8)) }
    }

    @Test("are no names where they are values, and a name of 256 bytes is none either")
    func names() throws {
        let long = String(repeating: "a", count: 300)
        for text in ["{\"\(long)\":1}", "{\"\(long)\" \n:1}", "{\"\\\"\(long)\":1}"] {
            #expect(JSONNames.haveLongOne(Data(text.utf8)))
        }
        for text in [
            "", "\"", "\"\\", "\"\(long)\"  ", "[\"\(long)\",1]", "{\"a\":\"\(long)\"}", "{\"a\":\"x\\\":\(long)\"}",
            "{\"\(long.prefix(256))\":1}",
        ] {
            #expect(!JSONNames.haveLongOne(Data(text.utf8)), "\(text.prefix(20))")
        }
    }
}
