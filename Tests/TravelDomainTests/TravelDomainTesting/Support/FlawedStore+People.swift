import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

extension FlawedStore {
    func report(_ travel: Travel.ID, by user: User.ID) async throws -> Bool {
        do {
            let isNew: Bool
            if flaw == .oneReportIsLost, memory.reporters[travel] == nil {
                _ = try await sound.user(user)
                guard try await !sound.travel(travel, viewer: user).isMine else {
                    throw TravelError.forbidden(.travel(travel))
                }
                isNew = true
            } else if flaw == .oneReportIsLost, memory.reporters[travel]?.contains(user) == true {
                isNew = false
            } else {
                isNew = try await soundly { try await $0.report(travel, by: user) }
            }
            let isFirst = memory.reporters[travel] == nil
            remember { $0.reporters[travel, default: []].insert(user) }
            if flaw == .oneReportCountsTwice, isFirst { try await sound.report(travel, by: await ghost()) }
            if flaw == .reportsAddUp, !isNew { try await sound.report(travel, by: await ghost()) }
            return isNew || flaw == .repeatedReportsAreNew
        } catch TravelError.forbidden where flaw == .authorsMayReport {
            return try await sound.report(travel, by: await ghost())
        } catch TravelError.notFound(.user) where flaw == .strangersMayReport {
        } catch TravelError.notFound(.travel(travel))
            where flaw == .hiddenTravelsMayBeReported && author(of: travel) != nil
        {
        } catch TravelError.notFound(.travel(travel))
            where flaw == .missingTravelsMayBeReported && author(of: travel) == nil
        {}
        return true
    }

    func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        if flaw == .oneMayBlockOneself, author == user { return true }
        var isNew = true
        do {
            isNew = try await soundly { try await $0.block(author, by: user) }
        } catch TravelError.notFound where flaw == .strangersMayBlock {}
        remember { $0.blocks.append((author, user)) }
        if flaw == .blocksAreMutual { _ = await result { try await self.sound.block(user, by: author) } }
        if flaw == .blocksReachAll {
            for other in Set(memory.authors.values) where other != author && other != user {
                _ = await result { try await self.sound.block(author, by: other) }
            }
        }
        return isNew || flaw == .repeatedBlocksAreNew
    }

    func unblock(_ author: User.ID, by user: User.ID) async throws {
        if flaw == .unblockingIsIgnored { return }
        try await soundly { try await $0.unblock(author, by: user) }
    }

    func blocked(by user: User.ID) async throws -> [User] {
        let blocked = try await soundly { try await $0.blocked(by: user) }
        return flaw == .blockedAreInNoOrder ? blocked.reversed() : blocked
    }

    func user(_ id: User.ID) async throws -> User {
        do {
            let user = try await soundly { try await $0.user(id) }
            guard flaw == .nicknamesAreComposed, user.nickname.text.unicodeScalars.contains("\u{301}") else {
                return user
            }
            return User(id: id, nickname: try Nickname("미나 \u{E9}"))
        } catch TravelError.notFound where flaw == .missingPeopleAreInvented {
            return try User(id: id, nickname: Nickname("Nobody"))
        }
    }

    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        if flaw == .caseTellsNamesApart, nickname.text.lowercased() != nickname.text { return false }
        if flaw == .alphabetsTellNamesApart, !nickname.text.unicodeScalars.allSatisfy(\.isASCII) { return false }
        if flaw == .spacesTellNamesApart, nickname.text.contains(" ") { return false }
        if flaw == .oldNicknamesStayTaken, memory.oldNicknames.contains(nickname.folded) { return true }
        let user = flaw == .ownNicknameIsTaken ? User.ID(seed: 1_000_000) : user
        return try await soundly { try await $0.isTaken(nickname, exceptBy: user) }
    }

    func add(_ user: User) async throws {
        try requireShort(user.nickname)
        if flaw == .oldNicknamesStayTaken, memory.oldNicknames.contains(user.nickname.folded) {
            throw TravelError.conflict(.user(user.id))
        }
        do {
            try await soundly { try await $0.add(user) }
        } catch TravelError.conflict(.user(let holder)) where flaw == .takenNicknamesAreGiven && holder != user.id {
        } catch TravelError.conflict(.user(user.id)) where flaw == .secondAdditionsRename {
            try await sound.rename(user.id, to: user.nickname, by: user.id)
        }
        remember { $0.nicknames[user.id] = user.nickname }
        try await bringBack(user.id)
        guard flaw == .withdrawalKeepsBlocks else { return }
        for block in memory.blocks where block.author == user.id || block.person == user.id {
            _ = await result { try await self.sound.block(block.author, by: block.person) }
        }
    }

    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        if flaw == .renamingIsForgotten { return }
        let editor = flaw == .anyoneMayRename ? id : user
        if let old = memory.nicknames[id], old != nickname { remember { $0.oldNicknames.insert(old.folded) } }
        do {
            try await soundly { try await $0.rename(id, to: nickname, by: editor) }
            if flaw == .renamingLosesAvatars { try await sound.setAvatar(nil, of: id, by: id) }
        } catch TravelError.conflict where flaw == .takenNicknamesAreGiven {
        } catch TravelError.notFound where flaw == .missingPeopleMayLeave {}
    }

    func setAvatar(_ image: TravelImage?, of id: User.ID, by user: User.ID) async throws {
        if flaw == .avatarsAreForgotten { return }
        let editor = flaw == .anyoneMaySetAvatars ? id : user
        try await soundly { try await $0.setAvatar(image, of: id, by: editor) }
        if flaw == .formerAvatarsStay, let image { remember { $0.keep([image]) } }
    }

    func removeUser(_ id: User.ID, by user: User.ID) async throws {
        if flaw == .withdrawalKeepsTravels { return }
        let editor = flaw == .anyoneMayRemove ? id : user
        try await forgiving(.missingPeopleMayLeave, { if case .notFound = $0 { true } else { false } }) {
            try await soundly { try await $0.removeUser(id, by: editor) }
        }
        if let old = memory.nicknames[id] { remember { $0.oldNicknames.insert(old.folded) } }
        if flaw == .withdrawalKeepsLikes {
            for (travel, likers) in memory.likers where likers.contains(id) {
                let ghost = try await ghost()
                _ = await result { try await self.sound.setLiked(true, travel: travel, by: ghost) }
            }
        }
        if flaw == .withdrawalKeepsReports {
            for (travel, reporters) in memory.reporters where reporters.contains(id) {
                let ghost = try await ghost()
                _ = await result { try await self.sound.report(travel, by: ghost) }
            }
        }
    }

    /// Likes, reports or blocks again what a person did before their removal.
    func bringBack(_ person: User.ID) async throws {
        let memory = memory
        if flaw == .returnBringsLikesBack {
            for (travel, likers) in memory.likers where likers.contains(person) {
                _ = await result { try await self.sound.setLiked(true, travel: travel, by: person) }
            }
        }
        if flaw == .returnBringsReportsBack {
            for (travel, reporters) in memory.reporters where reporters.contains(person) {
                _ = await result { try await self.sound.report(travel, by: person) }
            }
        }
        if flaw == .returnBringsBlocksBack {
            for block in memory.blocks where block.author == person || block.person == person {
                _ = await result { try await self.sound.block(block.author, by: block.person) }
            }
        }
    }

    /// Adds a person whom no test refers to.
    private func ghost() async throws -> User.ID {
        let id = User.ID()
        try await sound.add(User(id: id, nickname: Nickname(String(id.description.prefix(8)))))
        return id
    }
}
