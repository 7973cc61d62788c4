import Foundation
import TravelDomain

/// The parts of an entry, as options.
struct EntryOptions: Sendable {
    private(set) var title: Title?
    private(set) var day: Int?
    private(set) var time: TimeOfDay?
    /// The text; `-` for that of standard input.
    private(set) var text: String?
    private(set) var place: String?
    private(set) var address: String?
    private(set) var coordinate: Coordinate?
    /// The path of a picture; `none` for none.
    private(set) var image: String?

    /// The options without the title, which a trip has as well.
    static let help = [
        OptionHelp("--day", "N", "the day of the trip, from 1"),
        OptionHelp("--time", "TIME", "the time of day, such as 09:30"),
        OptionHelp("--text", "TEXT", "what happened, at most \(EntryText.length.upperBound) characters; - reads it"),
        OptionHelp("--place", "NAME", "a known place, or the name of any; none for none"),
        OptionHelp("--at", "LAT,LON", "the location of a place that is not known"),
        OptionHelp("--address", "TEXT", "its address"),
        OptionHelp("--image", "FILE", completes: .files, "a picture; none for none"),
    ]

    /// The name of the first option that was read besides the title, if there is one.
    var firstOption: String? {
        [
            day.map { _ in "--day" }, time.map { _ in "--time" }, text.map { _ in "--text" },
            place.map { _ in "--place" },
            coordinate.map { _ in "--at" }, address.map { _ in "--address" }, image.map { _ in "--image" },
        ].lazy.compactMap { $0 }.first
    }

    mutating func read(_ option: String, _ reader: inout ArgumentReader) throws -> Bool {
        switch option {
        case "--title": title = try reader.title()
        case "--day": day = try reader.positiveNumber("N")
        case "--time": time = try reader.time()
        case "--text": text = try reader.value("TEXT")
        case "--place": place = try reader.value("NAME")
        case "--at": coordinate = try reader.coordinate()
        case "--address": address = try reader.value("TEXT")
        case "--image": image = try reader.value("FILE")
        default: return false
        }
        return true
    }

    /// The text of the entry, read from standard input if the options request it.
    func entryText() throws -> EntryText? {
        guard let text else { return nil }
        // More than any text that fits: what is longer is refused, not cut.
        let words =
            text == "-"
            ? String(decoding: try FileHandle.standardInput.read(upToCount: 1 << 22) ?? Data(), as: UTF8.self) : text
        do {
            return try EntryText(words)
        } catch {
            throw UsageError("--text cannot be used: \(error)", "--text를 쓸 수 없습니다: \(error.korean)")
        }
    }

    /// The place of the entry; `before` is the one that it has. A known place is found by its name; of another, the name
    /// is enough.
    func place(besides before: Place?, in app: App) async throws -> Place? {
        if place == nil, coordinate == nil, address == nil { return before }
        if place == "none" { return nil }
        var known: Place?
        if let place, coordinate == nil { known = try await app.searchPlaces(place).first?.place }
        guard let name = known?.name ?? place ?? before?.name else {
            throw UsageError("name the place as well: --place NAME", "장소 이름도 쓰세요: --place NAME")
        }
        let location = coordinate ?? known?.coordinate ?? (place == nil ? before?.coordinate : nil)
        do {
            return try Place(
                name: name, address: address ?? known?.address ?? (place == nil ? before?.address : nil) ?? "",
                coordinate: location)
        } catch {
            throw UsageError("the place cannot be used: \(error)", "장소를 쓸 수 없습니다: \(error.korean)")
        }
    }
}
