extension DayRange {
    /// First and last day, `2024-05-01 – 2024-05-03`; the one day of a day trip.
    public var text: String {
        count == 1 ? "\(first)" : "\(first) – \(last)"
    }
}
