extension DayRange {
    /// The first and last day, `2024-05-01 – 2024-05-03`; for a day trip, the one day.
    public var text: String {
        count == 1 ? "\(first)" : "\(first) – \(last)"
    }
}
