import Foundation
import TestTurns
import Testing
import TravelDomainTesting

@testable import TravelDataFiles

@Suite("The times of a JSON file", .takesTurns)
struct ExactTimeTests {
    @Test("read back as exactly the same moment", arguments: GeneratedTravels.moments)
    func oddMoments(seconds: Double) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(ExactTime.date(ExactTime.text(for: date)) == date)
    }

    @Test("read back as exactly the same moment for random moments of any size")
    func randomMoments() {
        var random = TravelSamples(seed: 5).random
        for _ in 0..<2_000 {
            let size = Double.random(in: -3...12, using: &random)
            let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -1...1, using: &random) * pow(10, size))
            #expect(ExactTime.date(ExactTime.text(for: date)) == date)
        }
    }

    @Test(
        "are ISO 8601 in UTC with the digits that are necessary",
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
            (-0.001, "2000-12-31T23:59:59.999Z"), (757_382_400, "2025-01-01T00:00:00Z"), (1e20, "@1e+20"),
            (-63_113_904_001, "@-63113904001.0"),
        ])
    func text(seconds: Double, text: String) {
        #expect(ExactTime.text(for: Date(timeIntervalSinceReferenceDate: seconds)) == text)
    }

    @Test(
        "may have other forms of ISO 8601",
        arguments: ["2025-01-01T09:00:00+09:00", "2025-01-01 00:00:00Z", "2025-01-01T00:00Z", "2025-01-01T00:00:00,0Z"])
    func otherForms(text: String) {
        let expected = Date(timeIntervalSinceReferenceDate: 757_382_400)
        #expect(ExactTime.date(text) == (text.contains(",") ? nil : expected))
    }

    @Test(
        "in no known form, or not a number, are refused",
        arguments: ["", "@", "@nan", "@x", "yesterday", "2025-02-30T00:00:00Z"])
    func refused(text: String) {
        #expect(ExactTime.date(text) == nil)
    }
}
