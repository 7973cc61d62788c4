import TravelPresentation

extension Language {
    /// The text in this language.
    func say(_ english: @autoclosure () -> String, _ korean: @autoclosure () -> String) -> String {
        self == .korean ? korean() : english()
    }

    /// `1 trip`, `2 trips`, `여행 2개`.
    func trips(_ count: Int) -> String { say("\(count) \(count == 1 ? "trip" : "trips")", "여행 \(count)개") }

    /// `1 entry`, `2 entries`, `기록 2개`.
    func entries(_ count: Int) -> String { say("\(count) \(count == 1 ? "entry" : "entries")", "기록 \(count)개") }
}
