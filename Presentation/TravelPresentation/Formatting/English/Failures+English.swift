extension ScreenFailure {
    /// The message in English.
    var english: String {
        switch self {
        case .travel(let error): error.english
        case .unknown: "Something went wrong. Try again."
        }
    }
}

extension TravelError {
    /// The message in English, without identifiers.
    fileprivate var english: String {
        switch self {
        case .notFound(.travel): Text.tripGone.english
        case .notFound(.entry): Text.entryGone.english
        case .notFound(.user): "This person no longer has an account."
        case .notFound(.image): "This photo no longer exists."
        case .forbidden(.user): "This account may not do that."
        case .forbidden: "Only the author of a trip may do this."
        case .conflict(.travel): "This trip already exists, or it was changed elsewhere."
        case .conflict(.entry): "This entry already exists in another trip."
        case .conflict(.user): "Someone else has this nickname."
        case .conflict(.image): "This photo already exists in another trip."
        case .refused: "This photo may not be published. Choose another one."
        case .outdated: Text.conflictTitle.english
        case .signedOut: Text.signInHint.english
        case .invalid(let violation): violation.english
        case .unavailable(let outage): outage.canRetry ? "\(outage.reason) Try again." : outage.reason
        }
    }
}

extension Violation {
    /// The message in English.
    var english: String {
        switch (field, rule) {
        case (.date, .malformed): Text.malformedDay.english
        case (.time, .malformed): Text.malformedTime.english
        case (_, .entriesInTheWay(let entries)): Phrase.entriesInTheWay(entries.count).english
        default: description
        }
    }
}
