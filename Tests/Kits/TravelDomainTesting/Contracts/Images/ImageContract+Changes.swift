import TravelDomain

extension ImageContract {
    static let removals: [ContractCheck<Subject>] = [
        check("removing the last entry that shows an image removes the image only") { store in
            let images = [try TravelImage(seed: 1), try TravelImage(seed: 2)]
            let travel = try await add(
                [try entry(1, showing: images[0]), try entry(2, showing: images[1])], with: images, to: store)
            try await edit(travel, in: store) { travel throws(TravelError) in try travel.removing(entryID(1)) }
            try await expectMissing([images[0]], in: store)
            try await expectImages([images[1]], in: store)
        },
        check("replacing the image of an entry removes the old image") { store in
            let images = [try TravelImage(seed: 1), try TravelImage(seed: 2)]
            let travel = try await add([try entry(1, showing: images[0])], with: [images[0]], to: store)
            let rewritten = try entry(1, showing: images[1])
            try await edit(travel, adding: [images[1]], in: store) { travel throws(TravelError) in
                try travel.saving(rewritten)
            }
            try await expectMissing([images[0]], in: store)
            try await expectImages([images[1]], in: store)
            try await expectThumbnail(images[1], of: travel, in: store)
        },
        check("deleting a travel removes its images only") { store in
            let images = try (1...3).map { try TravelImage(seed: $0) }
            let travel = try await add(
                [try entry(1, showing: images[0])], thumbnail: images[1], with: Array(images[0...1]), to: store)
            let other = try TravelBuilder(seed: 2).with { $0.timeline = [try entry(2, showing: images[2])] }.build()
            try await store.add([other], images: [images[2]])
            try await store.update(travel.id, by: travel.author.id) { _ in nil }
            try await expectMissing(Array(images[0...1]), in: store)
            try await expectImages([images[2]], in: store)
        },
        check("removing a person removes the images of all their travels only") { store in
            let images = try (1...3).map { try TravelImage(seed: $0) }
            let author = try User(seed: 9)
            let travels = try (0..<3).map { index in
                try TravelBuilder(seed: UInt64(index), author: index < 2 ? author : nil).with {
                    $0.timeline = [try entry(UInt64(index), showing: images[index])]
                }.build()
            }
            try await store.add(travels, images: images)
            try await store.removeUser(author.id, by: author.id)
            try await expectMissing(Array(images[0...1]), in: store)
            try await expectImages([images[2]], in: store)
        },
        check("a removed image can be added again with the same ID and other bytes") { store in
            let image = try TravelImage(seed: 1)
            for size in [10, 20, 15] {
                let again = try TravelImage(id: image.id, bytes: TravelImage(seed: UInt64(size), size: size).bytes)
                let travel = try await add([try entry(1, showing: again)], with: [again], to: store)
                try await expectImages([again], in: store)
                try await store.update(travel.id, by: travel.author.id) { _ in nil }
                try await expectMissing([again], in: store)
            }
        },
    ]

    static let additions: [ContractCheck<Subject>] = [
        check("images that no travel shows are not stored") { store in
            let images = try (1...4).map { try TravelImage(seed: $0) }
            let travel = try await add(
                [try entry(1, showing: images[0])], with: [images[0], images[1]], to: store)
            try await edit(travel, adding: [images[2], images[3]], in: store) { travel throws(TravelError) in travel }
            try await expectImages([images[0]], in: store)
            try await expectMissing(Array(images[1...]), in: store)
        },
        check("passing an image that the travel already has leaves it unchanged") { store in
            let image = try TravelImage(seed: 1)
            let travel = try await add([try entry(1, showing: image)], with: [image], to: store)
            let other = try TravelImage(id: image.id, bytes: TravelImage(seed: 2, size: 30).bytes)
            let added = try entry(2, showing: image)
            try await edit(travel, adding: [other], in: store) { travel throws(TravelError) in try travel.saving(added)
            }
            try await expectImages([image], in: store)
        },
        check("an image that was not stored can be added later") { store in
            let image = try TravelImage(seed: 1)
            let travel = try await add([], with: [image], to: store)
            let shown = try entry(1, showing: image)
            try await edit(travel, adding: [image], in: store) { travel throws(TravelError) in try travel.saving(shown)
            }
            try await expectImages([image], in: store)
        },
        check("images that several tasks add concurrently are all stored") { store in
            let travel = try await add([], with: [], to: store)
            let images = try (1...12).map { try TravelImage(seed: $0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (seed, image) in images.enumerated() {
                    let shown = try entry(UInt64(seed), showing: image)
                    group.addTask {
                        try await edit(travel, adding: [image], in: store) { travel throws(TravelError) in
                            try travel.saving(shown)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await expectImages(images, in: store)
        },
        check("an edit without new images keeps the existing ones") { store in
            let images = [try TravelImage(seed: 1), try TravelImage(seed: 2)]
            let travel = try await add(
                [try entry(1, showing: images[0])], thumbnail: images[1], with: images, to: store)
            var content = travel.content
            content.title = try Title("제주 산책")
            let (changed, added) = (content, try entry(2))
            try await edit(travel, in: store) { travel throws(TravelError) in try travel.with(changed).saving(added) }
            try await expectImages(images, in: store)
            try await expectThumbnail(images[1], of: travel, in: store)
        },
    ]
}
