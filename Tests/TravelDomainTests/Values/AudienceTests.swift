import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Audiences")
struct AudienceTests {
    @Test("a key has 128 random bits, as 22 characters that no description shows")
    func keys() throws {
        let keys = (0..<1_000).map { _ in LinkKey() }
        #expect(Set(keys).count == 1_000)
        for key in keys {
            #expect(key.text.utf8.count == 22)
            #expect(LinkKey(key.text) == key)
            #expect(key.matches(key))
            #expect("\(key)" == "•••")
        }
        #expect(!keys[0].matches(keys[1]))
        var dumped = ""
        dump(Audience.byLink(keys[0]), to: &dumped)
        #expect(!dumped.contains(keys[0].text))
        #expect(!"\(Audience.byLink(keys[0]))".contains(keys[0].text))
    }

    @Test(
        "another text is no key",
        arguments: [
            "", "abc", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAA==",
            "AAAAAAAAAAAAAAAAAAAAA+",
            "AAAAAAAAAAAAAAAAAAAAA/", "AAAAAAAAAAAAAAAAAAAA\u{1100}", "AAAAAAAAAAA AAAAAAAAAA",
        ])
    func malformedKeys(text: String) {
        #expect(LinkKey(text) == nil)
    }

    @Test("a trip is shown to its author, and to those whom its audience admits")
    func admission() {
        let (key, other) = (LinkKey(), LinkKey())
        let admitted: [(Audience, LinkKey?, Bool)] = [
            (.onlyMe, nil, false), (.onlyMe, key, false), (.byLink(key), nil, false), (.byLink(key), other, false),
            (.byLink(key), key, true), (.everyone, nil, true), (.everyone, other, true),
        ]
        let (author, viewer) = (User.ID(seed: 1), User.ID(seed: 2))
        for (audience, key, isShown) in admitted {
            #expect(audience.admits(key) == isShown)
            for viewer in [nil, viewer] {
                func shows(_ reports: Int, blocked: Set<User.ID> = []) -> Bool {
                    Visibility(viewer: viewer, blocked: blocked, key: key)
                        .shows(tripBy: author, to: audience, reports: reports)
                }
                #expect(shows(5) == isShown)
                #expect(!shows(6))
                #expect(!shows(0, blocked: [author]))
            }
            #expect(Visibility(viewer: author, blocked: []).shows(tripBy: author, to: audience, reports: 9))
        }
    }

    @Test("a level that an audience has keeps its key, and a link that is made again has another one")
    func levels() {
        let shared = Audience.onlyMe.changed(to: .byLink)
        #expect(shared.key != nil)
        #expect(shared.changed(to: .byLink) == shared)
        for level in [Audience.Level.onlyMe, .everyone] {
            #expect(shared.changed(to: level).key == nil)
            #expect(shared.changed(to: level).level == level)
            #expect(shared.changed(to: level).changed(to: .byLink) != shared)
        }
    }
}
