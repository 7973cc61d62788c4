import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting

extension CacheHistory {
    /// Checks that every device has what the remote store has, after it has asked for it.
    func expectEqualStores() async throws {
        for (index, device) in devices.enumerated() {
            let travels = try await device.travels()
            for sort in TravelSort.allCases {
                let query = try TravelQuery(TravelCriteria(sort: sort), viewer: device.person, limit: 100)
                try await travels.refresh(.search(query))
                let expected = try await remote.search(query)
                #expect(try await travels.search(query) == expected, "seed \(seed), device \(index)")
                #expect(try await device.local.search(query) == expected, "seed \(seed), device \(index)")
                for travel in expected.travels {
                    try await travels.refresh(.timeline(travel.id, viewer: device.person))
                    #expect(
                        try await device.local.timeline(of: travel.id, viewer: device.person)
                            == remote.timeline(of: travel.id, viewer: device.person), "seed \(seed), device \(index)")
                    guard let image = travel.thumbnail else { continue }
                    #expect(
                        try await travels.image(image, viewer: nil) == remote.image(image, viewer: nil),
                        "seed \(seed), device \(index)")
                }
            }
            try await travels.refresh(.blocked(by: device.person))
            let blocked = try await remote.blocked(by: device.person)
            #expect(try await device.local.blocked(by: device.person) == blocked, "seed \(seed), device \(index)")
            #expect(await travels.status().pendingWrites == 0)
            #expect(await travels.status().conflicts == 0)
        }
    }

    /// Checks that no version of a travel was used for two contents, which devices could not tell apart.
    func expectUniqueVersions() {
        struct Key: Hashable { let id: Travel.ID, version: TravelVersion }
        for (key, versions) in Dictionary(grouping: log.versions, by: { Key(id: $0.id, version: $0.version) }) {
            let isOne = versions.allSatisfy { ($0.content, $0.timeline) == (versions[0].content, versions[0].timeline) }
            #expect(isOne, "seed \(seed): version \(key.version) of \(key.id) was used for several contents")
        }
    }

    /// Checks that each write has had its effect, or has come to the person as a conflict; and no effect twice.
    func expectNothingLost() async throws {
        var effects: [Int: Int] = [:]
        var titles: [Travel.ID: String] = [:]
        for version in log.versions {
            let title = version.content.title.text
            if titles[version.id] != title, let number = Int(title) { effects[number, default: 0] += 1 }
            titles[version.id] = title
        }
        for (number, travel) in written {
            let count = effects[number, default: 0]
            #expect(
                count > 0 || inConflict.contains(number),
                "seed \(seed): write \(number) to \(travel) has neither had an effect nor become a conflict")
            #expect(
                count <= 1 + rewritten[number, default: 0] || log.removed.contains(travel),
                "seed \(seed): write \(number) to \(travel) has had \(count) effects")
        }
        for travel in log.removed {
            #expect(deleted.contains(travel), "seed \(seed): \(travel) was removed without anybody's wish")
        }
        let person = devices[2].person
        for (travel, like) in likes {
            guard let isLiked = like.value, let there = try? await remote.travel(travel, viewer: person) else {
                continue
            }
            #expect(
                there.isLiked == isLiked || log.removed.contains(travel), "seed \(seed): the last like of \(travel)")
        }
        if let isBlocking = block.value {
            #expect(
                try await remote.blocked(by: person).count == (isBlocking ? 1 : 0), "seed \(seed): the last block")
        }
        if let nickname {
            #expect(try await remote.user(person).nickname == nickname, "seed \(seed): the last nickname")
        }
    }
}
