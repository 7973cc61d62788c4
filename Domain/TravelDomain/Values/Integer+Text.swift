extension Int {
    /// The decimal digits, padded with leading zeros to at least `width` digits.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }

    /// Parses a number of one or more ASCII digits, without sign or space; `nil` for any other text.
    init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }

    /// The quotient rounded towards negative infinity, so that the remainder is never negative.
    func flooredQuotient(_ divisor: Int) -> Int {
        (self >= 0 ? self : self - (divisor - 1)) / divisor
    }
}
