/// An entry in its form: text as typed, and the chosen values.
package struct EntryDraft: Hashable, Sendable {
    /// The number of the day of the trip, 1-based.
    package internal(set) var day = 1
    /// The time of day as typed, such as `9:30`.
    package internal(set) var time = ""
    package internal(set) var title = ""
    package internal(set) var text = ""
    package internal(set) var place: Place?
    /// The name of a place as typed, which is enough for a place; blank for none. Choosing a place empties it.
    package internal(set) var placeName = ""
    package internal(set) var image: DraftImage?

    package enum Field: CaseIterable, Hashable, Sendable {
        case day
        case time
        case title
        case text
        case place
        case image
    }

    init() {}

    init(_ entry: TimelineEntry) {
        day = entry.day
        time = entry.time.description
        title = entry.title.text
        text = entry.text.text
        place = entry.place
        image = entry.image.map { .stored($0) }
    }

    /// The draft of a new entry of a trip, at the time of the last entry of the day; at 09:00 on an empty day.
    init(newIn travel: RecordedTravel, day: Int) {
        self.day = min(max(day, 1), travel.content.days.count)
        time = travel.timeline.last { [day = self.day] in $0.day == day }?.time.description ?? "09:00"
    }

    /// Sets the image, and the time of the entry to that of the image; also the day, if the trip has it.
    mutating func take(_ picked: PickedImage, days: DayRange) {
        image = .picked(picked.image)
        if let time = picked.time { self.time = time.description }
        if let day = picked.day, (days.first...days.last).contains(day) { self.day = days.first.days(until: day) + 1 }
    }
}

extension EntryDraft {
    /// The problem of each invalid field, for a trip with that many days.
    func problems(days: Int) -> [Field: FormProblem] {
        var problems: [Field: FormProblem] = [:]
        func check(_ field: Field, _ make: () throws -> Void) {
            do { try make() } catch { problems[field] = FormProblem(error) }
        }
        if !(1...days).contains(day) { problems[.day] = .violation(.init(.day, .outOfRange("1…\(days)"))) }
        check(.time) { _ = try timeOfDay }
        check(.title) { _ = try Title(title) }
        check(.text) { _ = try EntryText(text) }
        check(.place) { _ = try entryPlace }
        return problems
    }

    /// The entry of the form.
    ///
    /// - Throws: `TravelError.invalid` when a field has a problem.
    func entry(_ id: TimelineEntry.ID) throws -> TimelineEntry {
        try TimelineEntry(
            id: id, day: day, time: timeOfDay, title: Title(title), text: EntryText(text),
            place: entryPlace, image: image?.id)
    }

    /// The place that was chosen, or else the one that was typed.
    private var entryPlace: Place? {
        get throws(TravelError) {
            if let place { return place }
            return placeName.allSatisfy(\.isWhitespace) ? nil : try Place(name: placeName)
        }
    }

    private var timeOfDay: TimeOfDay {
        get throws(TravelError) {
            let text = time.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            // People type hours with one digit.
            return try TimeOfDay(text.prefix { $0 != ":" }.count == 1 ? "0\(text)" : text)
        }
    }

    /// The draft beside another version, line by line; without one, the entry was deleted.
    func lines(beside theirs: EntryDraft?, in language: Language) -> [VersionLine] {
        func line(_ label: Text, _ value: (EntryDraft) -> String) -> VersionLine {
            VersionLine(label: language[label], mine: value(self), theirs: theirs.map(value) ?? "")
        }
        return [
            line(.day) { language[.day($0.day)] }, line(.time, \.time), line(.title, \.title), line(.text, \.text),
            line(.place) { $0.place?.name ?? $0.placeName }, line(.image) { $0.image.map { "\($0.id)" } ?? "" },
        ]
    }
}
