extension Phrase {
    /// The phrase in English.
    var english: String {
        switch self {
        case .trips(let count): count == 1 ? "1 trip" : "\(count) trips"
        case .shown(let count, let total): "\(count) of \(total)"
        case .likes(let count): count == 1 ? "1 like" : "\(count) likes"
        case .entries(let count): count == 1 ? "1 entry" : "\(count) entries"
        case .day(let day): "Day \(day)"
        case .characters(let count, let maximum): "\(count)/\(maximum)"
        case .andMore(let first, let others): "\(first) +\(others)"
        case .tooShort(let minimum): minimum == 1 ? "Enter a text." : "Enter at least \(minimum) characters."
        case .tooLong(let maximum): "Enter at most \(maximum) characters."
        case .entriesInTheWay(let count):
            count == 1
                ? "1 entry lies after the last day: move or delete it first."
                : "\(count) entries lie after the last day: move or delete them first."
        case .hello(let name): "Hello, \(name)"
        case .dayOutOfRange(let last): last == 1 ? "The trip has 1 day." : "Choose a day from 1 to \(last)."
        }
    }
}
