import TravelSamples
import TravelDomain

extension App {
    /// The travel whose ID is, or begins with, the argument.
    ///
    /// - Throws: `CommandError` when there is none, or when there are several.
    func travel(_ identification: Identification) async throws -> Travel.ID {
        let found = try await identifiers.travelIDs(in: identification.range(), limit: 4)
        if found.count == 1 { return found[0] }
        throw ambiguity(of: identification, among: found)
    }

    /// As many first characters of the IDs as find each of them again in this database.
    func shortIDs(of travels: [Travel]) async throws -> [Travel.ID: String] {
        try await identifiers.neighbors(of: travels.map(\.id)).reduce(into: [:]) { ids, item in
            ids[item.key] = item.key.short(among: item.value)
        }
    }

    /// The trips as a list.
    func list(_ travels: [Travel]) async throws -> String {
        TripList(travels, ids: try await shortIDs(of: travels), in: language, on: .standard).text
    }

    /// The entry of that travel: by its number in the timeline, or by its ID or the first characters of it.
    func entry(_ text: String, in timeline: [TimelineEntry]) throws -> TimelineEntry {
        // Up to three digits are a number, never the beginning of an ID.
        if text.count < 4, let number = Int(text) {
            if timeline.indices.contains(number - 1) { return timeline[number - 1] }
            throw CommandError(
                language.say(
                    "the trip has \(language.entries(timeline.count)), and none with the number \(number)",
                    "이 여행에는 기록이 \(timeline.count)개 있고, \(number)번은 없습니다"), .dataError)
        }
        let identification = try Identification(text)
        let range: ClosedRange<TimelineEntry.ID> = identification.range()
        let found = timeline.filter { range.contains($0.id) }
        if found.count == 1 { return found[0] }
        throw ambiguity(of: identification, among: found.map(\.id))
    }

    private func ambiguity<Entity>(of text: Identification, among found: [Identifier<Entity>]) -> CommandError {
        if found.isEmpty {
            return CommandError(
                language.say("no ID begins with '\(text.text)'", "'\(text.text)'(으)로 시작하는 ID가 없습니다"), .dataError)
        }
        let ids = found.prefix(3).map { $0.short(among: found) }.joined(separator: ", ")
        let list = found.count > 3 ? "\(ids), …" : ids
        return CommandError(
            language.say(
                "several IDs begin with '\(text.text)': \(list); write more characters",
                "'\(text.text)'(으)로 시작하는 ID가 여럿입니다: \(list). 더 길게 쓰세요"), .dataError)
    }

    /// A travel with its timeline, as the acting person sees it.
    func details(of id: Travel.ID) async throws -> (travel: Travel, timeline: [TimelineEntry]) {
        let details = try await allDetails(of: id)
        return (details.travel, details.timeline)
    }

    /// A travel with its timeline and track, as the acting person sees it.
    func allDetails(of id: Travel.ID) async throws -> TravelDetails {
        // The first observed value: all parts have the same version.
        for try await details in showTravel(id) { return details }
        // Watching ends when the task is cancelled.
        throw CancellationError()
    }

    /// A travel with its timeline and images, as the acting person sees it.
    func exported(_ id: Travel.ID) async throws -> (travel: RecordedTravel, images: [TravelImage]) {
        let recorded = try await allDetails(of: id).recorded
        let viewer = try await session.session()?.user
        var images: [TravelImage] = []
        for image in recorded.images { images.append(try await store.image(image, viewer: viewer)) }
        return (recorded, images)
    }

    /// Whether a travel is one of the samples that a new database has.
    static func isSample(_ id: Travel.ID) -> Bool { SampleTrips.contains(id) }
}

extension TimelineEntry {
    /// The number of the entry in its timeline, from 1: what 'traveline show' and the map print, and what `--entry` names.
    func number(in timeline: [TimelineEntry]) -> Int { (timeline.firstIndex { $0.id == id } ?? 0) + 1 }
}
