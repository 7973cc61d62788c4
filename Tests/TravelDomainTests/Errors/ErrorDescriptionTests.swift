import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Error descriptions")
struct ErrorDescriptionTests {
    @Test(
        "a violation names the field and the rule, but not the value",
        arguments: [
            (Violation(.title, .tooShort(minimum: 1)), "The title needs at least 1 character."),
            (Violation(.nickname, .tooShort(minimum: 2)), "The nickname needs at least 2 characters."),
            (Violation(.text, .tooLong(maximum: 5_000)), "The text may have at most 5000 characters."),
            (Violation(.timeline, .tooMany(maximum: 1_000)), "The timeline may have at most 1000 entries."),
            (Violation(.pictures, .tooMany(maximum: 30)), "An entry may have at most 30 pictures."),
            (Violation(.pictures, .repeated), "One of the pictures occurs twice: remove it once."),
            (
                Violation(.pictureText, .tooLong(maximum: 300)),
                "The description of the picture may have at most 300 characters."
            ),
            (
                Violation(.placeName, .controlCharacter),
                "The name of the place contains a line break or another control character: remove it."
            ),
            (Violation(.text, .controlCharacter), "The text contains a control character: remove it."),
            (
                Violation(.placeAddress, .tooLong(maximum: 200)),
                "The address of the place may have at most 200 characters."
            ),
            (
                Violation(.date, .malformed(expected: "a calendar day such as 2024-05-01")),
                "The date is not a calendar day such as 2024-05-01."
            ),
            (Violation(.limit, .outOfRange("1…100")), "The limit is out of range: 1…100."),
            (
                Violation(.dates, .endsBeforeItBegins),
                "The dates are in the wrong order: the last day is before the first."
            ),
            (
                Violation(.cursor, .foreignCursor),
                "The cursor belongs to a search in another order; start again from the first page."
            ),
            (Violation(.likeCount, .outOfRange("0 or more")), "The number of likes is out of range: 0 or more."),
            (Violation(.track, .empty), "The track is empty."),
            (Violation(.image, .tooLarge(maximumBytes: 10_485_760)), "The image may have at most 10 MiB."),
            (Violation(.image, .tooLarge(maximumBytes: 1_500)), "The image may have at most 1500 bytes."),
            (
                Violation(.title, .tooManyScalars(maximum: 32)),
                "The title has a character of more than 32 code points: remove marks from it."
            ),
            (
                Violation(.nickname, .unusableCharacter("\u{200B}")),
                "The nickname cannot contain U+200B (ZERO WIDTH SPACE): use letters, digits, spaces and emoji."
            ),
            (
                Violation(.nickname, .mixedScripts),
                "The nickname mixes writing systems: use one, or Latin letters with those of Korean, Japanese or Chinese."
            ),
            (Violation(.password, .invisible), "The password has no visible character: choose another one."),
            (
                Violation(.password, .common),
                "The password is one of the most common ones, which are guessed first: choose another one."
            ),
            (
                Violation(.image, .keepsMetadata),
                "The file of the image keeps where and when it was taken, which cannot be removed from it: convert it to "
                    + "JPEG or PNG first, or, if it is HEIC or AVIF, install vips (Debian: libvips-tools)."
            ),
            (Violation(.invitation, .closed), "This server takes no new accounts."),
            (
                Violation(.dates, .entriesInTheWay([.init(seed: 1)])),
                "There is 1 entry after the last day: move or delete it first."
            ),
            (
                Violation(.dates, .entriesInTheWay([.init(seed: 1), .init(seed: 2)])),
                "There are 2 entries after the last day: move or delete them first."
            ),
        ])
    func violations(violation: Violation, sentence: String) {
        #expect(violation.description == sentence)
        #expect(TravelError.invalid(violation).description == sentence)
    }

    @Test("the other errors name the subject and, where known, the remedy")
    func errors() throws {
        let (trip, user, image) = (Trip.ID(seed: 1), User.ID(seed: 1), TripImage.ID(seed: 1))
        #expect(TravelError.notFound(.image(image)).description == "There is no image \(image).")
        #expect(
            TravelError.forbidden(.trip(trip)).description
                == "This action on trip \(trip) is not allowed: only its author can change it, and they cannot report it."
        )
        #expect(
            TravelError.forbidden(.user(user)).description
                == "This action on user \(user) is not allowed: only they can change their account, and they cannot block "
                + "themselves."
        )
        #expect(TravelError.conflict(.image(image)).description == "Image \(image) already exists.")
        #expect(TravelError.conflict(.trip(trip)).description == "Trip \(trip) already exists.")
        #expect(
            TravelError.outdated(try TripBuilder(seed: 1).build()).description
                == "Someone else has changed trip \(trip) in the meantime: compare it with your version, and try again."
        )
        #expect(
            TravelError.conflict(.user(user)).description
                == "User \(user) already exists or already uses this nickname: choose another one."
        )
        #expect(TravelError.wrongCredentials.description == "The nickname or the password is wrong.")
        let entry = TimelineEntry.ID(seed: 1)
        #expect(TravelError.conflict(.entry(entry)).description == "A timeline entry \(entry) already exists.")
        #expect(
            TravelError.unavailable(.init("The disk is full.", canRetry: true)).description
                == "The disk is full. Try again.")
        #expect(TravelError.unavailable(.init("It is gone.", canRetry: false)).description == "It is gone.")
    }

    @Test("an error does not contain the invalid value", arguments: Secret.allCases)
    func secrets(secret: Secret) throws {
        let error = try #require(#expect(throws: TravelError.self) { try secret.breakRule() })
        for text in [error.description, String(reflecting: error), "\(error)"] {
            #expect(!text.contains("geheim"), "\(text)")
        }
    }

    enum Secret: CaseIterable {
        case title, text, nickname, password, place, address, day, time

        func breakRule() throws {
            let long = String(repeating: "geheim ", count: 1_000)
            let seoul = try Coordinate(latitude: 37.5, longitude: 127)
            switch self {
            case .title: _ = try Title(long)
            case .text: _ = try EntryText(long)
            case .nickname: _ = try Nickname(long)
            case .password: _ = try Password(long)
            case .place: _ = try Place(name: long, coordinate: seoul)
            case .address: _ = try Place(name: "a", address: long, coordinate: seoul)
            case .day: _ = try CalendarDay(long)
            case .time: _ = try TimeOfDay(long)
            }
        }
    }
}
