extension Int {
    /// The number written with at least `width` digits, zeros first.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }

    /// The number that ASCII digits alone write: no sign, no space, at least one digit.
    init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }

    /// The quotient rounded down, so that the remainder is never negative.
    func flooredQuotient(_ divisor: Int) -> Int {
        (self >= 0 ? self : self - (divisor - 1)) / divisor
    }
}
