import TravelDomain

extension GeneratedHistory {
    mutating func addPerson(to store: TravelStore) async throws {
        let isThere = random(0...5) == 0
        let person = isThere ? model.people.randomElement(using: &samples.random) : nil
        let newcomer = try person ?? samples.person()
        if let person {
            return try await expectSame("an addition of who is there", .failure(.conflict(.user(person.id)))) {
                try await store.add(person)
            }
        }
        let holders = model.holders(of: newcomer.nickname, except: newcomer.id)
        try await expectConflict(with: holders, from: "an addition of a person") { try await store.add(newcomer) }
        if holders.isEmpty { model.people.append(newcomer) }
    }

    mutating func addTravels(to store: TravelStore) async throws {
        guard !model.people.isEmpty else { return }
        var (travels, images): ([RecordedTravel], [TravelImage]) = ([], [])
        for _ in 0..<random(0...4) {
            let (image, travel) = (try samples.image(), try samples.travel(by: model.people))
            images.append(image)
            travels.append(random(0...1) == 0 ? travel : try travel.saving(samples.entry(image: image.id)))
        }
        if random(0...6) == 0, let used = model.stored.randomElement(using: &samples.random) {
            let fresh = try samples.travel(by: model.people)
            switch random(0...2) {
            case 0: travels.append(used.recorded)
            case 1: travels.append(try fresh.saving(samples.entry(image: imageID())))
            default:
                let entry = used.recorded.timeline.first { $0.image == nil && $0.day == 1 }
                if let entry { travels.append(try fresh.saving(entry)) }
            }
        }
        let (batch, brought) = (travels, images)
        let expected = Result { () throws(TravelError) in try model.add(batch, images: brought) }
        try await expectSame("an addition of travels", expected) { try await store.add(batch, images: brought) }
    }

    mutating func like(in store: TravelStore) async throws {
        let (travel, person, isLiked) = (travelID(), personID(), random(0...2) > 0)
        let expected = Result { () throws(TravelError) in try model.setLiked(isLiked, travel: travel, by: person) }
        try await expectSame("a like", expected) { try await store.setLiked(isLiked, travel: travel, by: person) }
    }

    /// Reports of several people at once, because it takes six to hide a travel.
    mutating func report(in store: TravelStore) async throws {
        let travel = travelID()
        for _ in 1...random(1...4) {
            let person = personID()
            let expected = Result { () throws(TravelError) in try model.report(travel, by: person) }
            try await expectSame("a report", expected) { try await store.report(travel, by: person) }
        }
    }

    mutating func block(in store: TravelStore) async throws {
        let (author, person) = (personID(), personID())
        if random(0...2) == 0 {
            model.unblock(author, by: person)
            return try await store.unblock(author, by: person)
        }
        let expected = Result { () throws(TravelError) in try model.block(author, by: person) }
        try await expectSame("a block", expected) { try await store.block(author, by: person) }
    }

    mutating func rename(in store: TravelStore) async throws {
        let (person, nickname) = (personID(), try samples.person().nickname)
        let editor = random(0...4) == 0 ? personID() : person
        let holders = model.holders(of: nickname, except: person)
        if holders.isEmpty || editor != person || !model.people.contains(where: { $0.id == person }) {
            let expected = Result { () throws(TravelError) in try model.rename(person, to: nickname, by: editor) }
            try await expectSame("a renaming", expected) { try await store.rename(person, to: nickname, by: editor) }
        } else {
            try await expectConflict(with: holders, from: "a renaming") {
                try await store.rename(person, to: nickname, by: editor)
            }
        }
    }

    mutating func withdraw(from store: TravelStore) async throws {
        let person = personID()
        let editor = random(0...1) == 0 ? personID() : person
        let expected = Result { () throws(TravelError) in try model.removeUser(person, by: editor) }
        try await expectSame("a withdrawal", expected) { try await store.removeUser(person, by: editor) }
    }

    /// Expects a conflict with one of `holders`, or no error if there are none.
    private func expectConflict(
        with holders: [User.ID], from what: String, _ body: () async throws -> Void
    ) async throws {
        switch try await outcome(body) {
        case .success: try expect(holders.isEmpty, "\(place): \(what) by a nickname that is taken succeeded")
        case .failure(.conflict(.user(let holder))) where holders.contains(holder): return
        case .failure(let error): throw UnmetExpectation(message: "\(place): \(what) threw \(error)")
        }
    }
}
