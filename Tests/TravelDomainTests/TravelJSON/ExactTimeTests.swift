import Foundation
import TestConcurrency
import Testing
import TravelDomainTesting
import TravelJSON

@Suite("JSON times", .limitedConcurrency)
struct ExactTimeTests {
    @Test(
        "an unusual time is equal after writing and reading",
        arguments: [
            0, -0.0, 0.25, -0.25, 762_000_000.123_456_7, -123.000_1, 1e-7, -1e-7, 0.1, -0.1, 252_455_615_999.9, 1e20,
            -1e20, -63_113_904_000, -63_113_904_001, .infinity, -.infinity, .leastNonzeroMagnitude,
            86_399.999_999_999_99, -86_400,
        ] as [Double])
    func oddMoments(seconds: Double) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(ExactTime.date(ExactTime.text(for: date)) == date)
    }

    @Test("a random time of any magnitude is equal after writing and reading")
    func randomMoments() {
        var random = TripGenerator(seed: 5).random
        for _ in 0..<2_000 {
            let size = Double.random(in: -3...12, using: &random)
            let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -1...1, using: &random) * pow(10, size))
            #expect(ExactTime.date(ExactTime.text(for: date)) == date)
        }
    }

    @Test(
        "a time is written in ISO 8601, in UTC, with as many decimals as necessary",
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
            (-0.001, "2000-12-31T23:59:59.999Z"), (757_382_400, "2025-01-01T00:00:00Z"), (1e20, "@1e+20"),
            (-63_113_904_001, "@-63113904001.0"),
        ])
    func text(seconds: Double, text: String) {
        #expect(ExactTime.text(for: Date(timeIntervalSinceReferenceDate: seconds)) == text)
    }

    @Test(
        "a time may have other formats of ISO 8601",
        arguments: ["2025-01-01T09:00:00+09:00", "2025-01-01 00:00:00Z", "2025-01-01T00:00Z", "2025-01-01T00:00:00,0Z"])
    func otherForms(text: String) {
        let expected = Date(timeIntervalSinceReferenceDate: 757_382_400)
        #expect(ExactTime.date(text) == (text.contains(",") ? nil : expected))
    }

    @Test(
        "a time in an unknown format, or NaN, is rejected",
        arguments: ["", "@", "@nan", "@x", "yesterday", "2025-02-30T00:00:00Z"])
    func refused(text: String) {
        #expect(ExactTime.date(text) == nil)
    }
}
