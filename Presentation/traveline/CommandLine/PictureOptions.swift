import Foundation
import TravelDomain
import TravelPresentation

/// What to do with the pictures of an entry, as options of `edit`.
struct PictureOptions: Sendable {
    /// The paths of pictures to add behind the others.
    let added: [String]
    /// The number of the picture that the other options change, from 1; by default the first.
    private let number: Int?
    private let text: String?
    private let taken: String?
    private let position: String?
    /// Whether everyone who sees the trip sees the position; `nil` to leave it.
    private let showsPosition: Bool?
    private let place: Int?
    private let isRemoved: Bool
    /// The name of the first of these options on the command line, if there is one.
    let firstOption: String?

    static let help = [
        OptionHelp("--add-image", "FILE", completes: .files, Text("add a picture; may be repeated", "사진 더하기, 여러 번 가능")),
        OptionHelp(
            "--picture", "N",
            Text("change the Nth picture of the entry; by default the first", "기록의 N번째 사진 고치기, 기본은 첫 사진")),
        OptionHelp("--describe", "TEXT", Text("what it shows; none for nothing", "사진 설명, none이면 없음")),
        OptionHelp(
            "--taken", "DATE TIME",
            Text("when it was taken, such as '2024-05-01 09:30', or none", "찍은 때, 예: '2024-05-01 09:30', none이면 없음")),
        OptionHelp("--taken-at", "LAT,LON", Text("where it was taken, or none", "찍은 위치, none이면 없음")),
        OptionHelp(
            "--show-position", Text("show where it was taken to everyone who sees the trip", "찍은 위치를 여행을 보는 모두에게 보이기")),
        OptionHelp("--hide-position", Text("show it to nobody else", "찍은 위치를 나만 보기")),
        OptionHelp("--picture-to", "N", Text("make it the Nth picture", "N번째 사진으로 옮기기")),
        OptionHelp("--remove-picture", Text("remove it", "사진 지우기")),
    ]

    init(_ arguments: Arguments) throws {
        firstOption = Self.help.map(\.name).first(where: arguments.has)
        added = arguments.values("--add-image")
        number = try arguments.positiveNumber("--picture")
        text = arguments.value("--describe")
        taken = arguments.value("--taken")
        position = arguments.value("--taken-at")
        place = try arguments.positiveNumber("--picture-to")
        isRemoved = arguments.has("--remove-picture")
        let (shows, hides) = (arguments.has("--show-position"), arguments.has("--hide-position"))
        if shows, hides {
            throw UsageError(
                "--show-position and --hide-position are alternatives; use one of them",
                "--show-position과 --hide-position 중 하나만 쓰세요")
        }
        showsPosition = shows ? true : hides ? false : nil
        _ = try (takenDate(), coordinate())
    }

    private var changesOne: Bool {
        text != nil || taken != nil || position != nil || showsPosition != nil || place != nil || isRemoved
            || number != nil
    }

    /// The pictures of the entry as the options change them; `new` are those to add.
    func applied(to pictures: [Picture], adding new: [Picture]) throws -> [Picture] {
        var pictures = pictures + new
        guard changesOne else { return pictures }
        let index = (number ?? 1) - 1
        guard pictures.indices.contains(index) else {
            throw UsageError(
                pictures.isEmpty
                    ? "the entry has no pictures" : "--picture: the entry has pictures 1 to \(pictures.count)",
                pictures.isEmpty ? "기록에 사진이 없습니다" : "--picture: 기록의 사진은 1부터 \(pictures.count)까지입니다")
        }
        if isRemoved {
            pictures.remove(at: index)
            return pictures
        }
        try change(&pictures[index])
        if let place {
            guard pictures.indices.contains(place - 1) else {
                throw UsageError(
                    "--picture-to: the entry has \(pictures.count) pictures",
                    "--picture-to: 기록의 사진은 \(pictures.count)장입니다")
            }
            pictures.insert(pictures.remove(at: index), at: place - 1)
        }
        return pictures
    }

    private func change(_ picture: inout Picture) throws {
        if let text {
            do throws(TravelError) {
                picture.text = text == "none" ? nil : try PictureText(text)
            } catch {
                throw UsageError("--describe cannot be used: \(error)", "--describe를 쓸 수 없습니다: \(error.text.korean)")
            }
        }
        if taken != nil { picture.taken = try takenDate() }
        if position != nil { picture.position = try coordinate().map { .mineOnly($0) } }
        guard let showsPosition else { return }
        guard let coordinate = picture.position?.coordinate else {
            throw UsageError(
                "the picture has no position; specify it with --taken-at LAT,LON",
                "사진에 위치가 없습니다. --taken-at 위도,경도로 지정하세요")
        }
        picture.position = showsPosition ? .shown(coordinate) : .mineOnly(coordinate)
    }

    /// A day and a time, by the clock of the camera.
    private func takenDate() throws -> PhotoDate? {
        guard let taken, taken != "none" else { return nil }
        let parts = taken.split(whereSeparator: { $0 == " " || $0 == "T" })
        guard parts.count == 2, let day = try? CalendarDay(String(parts[0])),
            let time = try? TimeOfDay(String(parts[1]))
        else {
            throw UsageError(
                "--taken needs a day and a time such as '2024-05-01 09:30', not '\(taken)'",
                "--taken에는 '2024-05-01 09:30'처럼 날짜와 시각이 필요합니다. '\(taken)'은(는) 쓸 수 없습니다")
        }
        return PhotoDate(day: day, time: time)
    }

    private func coordinate() throws -> Coordinate? {
        guard let position, position != "none" else { return nil }
        return try Arguments.coordinate(position, of: "--taken-at")
    }
}
