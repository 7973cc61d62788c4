#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A trip in its form: text as typed, and the chosen values.
package struct TravelDraft: Hashable, Sendable {
    package internal(set) var title = ""
    package internal(set) var region: Region?
    /// The first day as typed, such as `2024-05-01`.
    package internal(set) var firstDay = ""
    /// The last day as typed, such as `2024-05-03`; empty if ``impliedLastDay`` counts.
    package internal(set) var lastDay = ""
    /// The last day that was typed, also while a later first day sets it aside.
    private var typedLastDay = ""
    package internal(set) var themes: Set<Theme> = []
    package internal(set) var companions: Set<Companion> = []
    package internal(set) var headcount: Headcount?
    package internal(set) var budget: Budget?
    package internal(set) var transportation: Transportation?
    /// The image that represents the trip; `nil` for that of its first entry with one.
    package internal(set) var image: DraftImage?

    package enum Field: CaseIterable, Hashable, Sendable {
        case title
        case region
        case firstDay
        case lastDay
        case image
    }

    init() {}

    init(_ content: TravelContent) {
        title = content.title.text
        region = content.region
        firstDay = content.days.first.description
        setLastDay(content.days.last.description)
        themes = content.themes
        companions = content.companions
        headcount = content.headcount
        budget = content.budget
        transportation = content.transportation
        image = content.thumbnail.map { .stored($0) }
    }

    /// The last day while none is typed: the first day, once that is one. The field shows it as a placeholder.
    package var impliedLastDay: String? {
        isLastDayImplied ? Self.day(firstDay)?.description : nil
    }

    private var isLastDayImplied: Bool { lastDay.allSatisfy(\.isWhitespace) }

    /// Changes the first day. An earlier last day is set aside, so that the first day counts for both; it returns with
    /// a first day that is not after it, because dates on the way to the one that is meant may be later.
    mutating func setFirstDay(_ text: String) {
        firstDay = text
        guard let first = Self.day(text) else { return }
        lastDay = Self.day(typedLastDay).map { $0 < first } == true ? "" : typedLastDay
    }

    mutating func setLastDay(_ text: String) {
        lastDay = text
        typedLastDay = text
    }

    private static func day(_ text: String) -> CalendarDay? {
        // An error means that there is no day yet; `problems` has the problem of the text.
        try? CalendarDay(trimmed(text))
    }

    private static func trimmed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension TravelDraft {
    /// The problem of each invalid field, for a trip with that timeline.
    func problems(_ timeline: [TimelineEntry] = []) -> [Field: FormProblem] {
        var problems: [Field: FormProblem] = [:]
        func check<Value>(_ field: Field, _ make: () throws -> Value) -> Value? {
            do {
                return try make()
            } catch {
                problems[field] = FormProblem(error)
                return nil
            }
        }
        _ = check(.title) { try Title(title) }
        if region == nil { problems[.region] = .text(.chooseRegion) }
        let first = check(.firstDay) { try CalendarDay(Self.trimmed(firstDay)) }
        let last = isLastDayImplied ? first : check(.lastDay) { try CalendarDay(Self.trimmed(lastDay)) }
        guard let first, let last, let days = check(.lastDay, { try DayRange(first, through: last) }) else {
            return problems
        }
        let inTheWay = timeline.filter { $0.day > days.count }
        if !inTheWay.isEmpty { problems[.lastDay] = .violation(.init(.dates, .entriesInTheWay(inTheWay.map(\.id)))) }
        return problems
    }

    /// The trip of the form.
    ///
    /// - Throws: `FormProblem` when a field has one.
    func content() throws -> TravelContent {
        guard let region else { throw FormProblem.text(.chooseRegion) }
        return TravelContent(
            title: try Title(title), region: region,
            days: try DayRange(
                CalendarDay(Self.trimmed(firstDay)),
                through: CalendarDay(Self.trimmed(isLastDayImplied ? firstDay : lastDay))),
            themes: themes, companions: companions, headcount: headcount, budget: budget,
            transportation: transportation, thumbnail: image?.id)
    }

    /// Adds a value of a filter, or removes it; a region replaces the previous one.
    mutating func toggle(_ option: FilterOption) {
        func toggle<Value>(_ value: Value, in values: inout Set<Value>) {
            if values.remove(value) == nil { values.insert(value) }
        }
        func toggle<Value: Equatable>(_ value: Value, _ chosen: inout Value?) {
            chosen = chosen == value ? nil : value
        }
        switch option {
        case .region(let value): region = value
        case .theme(let value): toggle(value, in: &themes)
        case .companion(let value): toggle(value, in: &companions)
        case .headcount(let value): toggle(value, &headcount)
        case .budget(let value): toggle(value, &budget)
        case .transportation(let value): toggle(value, &transportation)
        case .season, .period: break  // they follow from the days
        }
    }

    /// Whether the form has that value of a filter.
    package func contains(_ option: FilterOption) -> Bool {
        switch option {
        case .region(let value): region == value
        case .theme(let value): themes.contains(value)
        case .companion(let value): companions.contains(value)
        case .headcount(let value): headcount == value
        case .budget(let value): budget == value
        case .transportation(let value): transportation == value
        case .season, .period: false
        }
    }

    /// The kinds of values that are chosen in the form, in its order.
    package static let choices: [FilterKind] = [.region, .theme, .companion, .headcount, .budget, .transportation]

    /// The chosen values of a kind, as text: `Healing, Food`; empty if there are none.
    package func text(of kind: FilterKind, in language: Language) -> String {
        kind.options.filter(contains).map { $0.name(in: language) }.joined(separator: ", ")
    }

    private var shownLastDay: String { impliedLastDay ?? lastDay }

    /// The draft beside another version, line by line.
    func lines(beside theirs: TravelDraft, in language: Language) -> [VersionLine] {
        let texts: [(Text, KeyPath<TravelDraft, String>)] = [
            (.title, \.title), (.firstDay, \.firstDay), (.lastDay, \.shownLastDay),
        ]
        return texts.map { text, part in
            VersionLine(label: language[text], mine: self[keyPath: part], theirs: theirs[keyPath: part])
        }
            + Self.choices.map { kind in
                VersionLine(
                    label: kind.name(in: language), mine: self.text(of: kind, in: language),
                    theirs: theirs.text(of: kind, in: language))
            }
            + [
                VersionLine(
                    label: language[.image], mine: image.map { "\($0.id)" } ?? "",
                    theirs: theirs.image.map { "\($0.id)" } ?? "")
            ]
    }
}

// MARK: - Restarts

/// What ``TravelEditorFlow/State/restorableText`` keeps of a new trip. Values that a later version does not know are
/// left out when it is read.
private struct StoredDraft: Codable {
    var id: String
    var title, firstDay, lastDay: String
    var region: String?
    var themes, companions: [String]
    var headcount: Int?
    var budget, transportation: String?
    var imageID: String?
    var image: Data?

    init(_ draft: TravelDraft, id: Travel.ID) {
        self.id = id.description
        (title, firstDay, lastDay) = (draft.title, draft.firstDay, draft.lastDay)
        region = draft.region?.rawValue
        themes = draft.themes.map(\.rawValue).sorted()
        companions = draft.companions.map(\.rawValue).sorted()
        (headcount, budget) = (draft.headcount?.rawValue, draft.budget?.rawValue)
        transportation = draft.transportation?.rawValue
        (imageID, image) = (draft.image?.new?.id.description, draft.image?.new?.bytes)
    }

    var draft: TravelDraft {
        var draft = TravelDraft()
        draft.title = title
        draft.firstDay = firstDay
        draft.setLastDay(lastDay)
        draft.region = region.flatMap(Region.init(rawValue:))
        draft.themes = Set(themes.compactMap(Theme.init(rawValue:)))
        draft.companions = Set(companions.compactMap(Companion.init(rawValue:)))
        draft.headcount = headcount.flatMap(Headcount.init(rawValue:))
        draft.budget = budget.flatMap(Budget.init(rawValue:))
        draft.transportation = transportation.flatMap(Transportation.init(rawValue:))
        // Bytes that are no image come from another version: the form continues without them.
        let picture = image.flatMap { try? TravelImage(id: imageID.flatMap { .init($0) } ?? .init(), bytes: $0) }
        draft.image = picture.map { .picked($0) }
        return draft
    }
}

extension TravelEditorFlow.State {
    /// The form of a new trip in ASCII without white space, with the image that was picked, to continue it after a
    /// restart with ``TravelEditorFlow/init(_:restoring:)``; `nil` if nothing was changed, or the trip is stored.
    package var restorableText: String? {
        // Strings, numbers and bytes can always be encoded.
        guard isNew, hasChanges, let data = try? JSONEncoder().encode(StoredDraft(draft, id: id)) else { return nil }
        return data.base64EncodedString()
    }

    /// A state with the form of that text; `nil` for any other text.
    init?(restoring text: String) {
        guard let data = Data(base64Encoded: text),
            let stored = try? JSONDecoder().decode(StoredDraft.self, from: data),
            let id = Travel.ID(stored.id)
        else { return nil }
        self.init(id, .editing)
        draft = stored.draft
    }
}
