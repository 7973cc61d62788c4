#if PostgreSQL
    internal import PostgreSQLStore
    public import TravelDomain

    extension PostgreSQLTravelRepository: UserRepository {
        /// - Throws: `TravelError.notFound` and `.unavailable`; `CancellationError`.
        public func user(_ id: User.ID) async throws -> User {
            try await database.readTravels { db in try PersonRecord.require(id, db) }
        }

        /// Returns whether someone else has the nickname.
        ///
        /// - Throws: `TravelError.unavailable`; `CancellationError`.
        public func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
            try await database.readTravels { db in try PersonRecord.holder(of: nickname, except: user, db) != nil }
        }

        /// - Throws: `TravelError.conflict` for a known ID or a nickname that is taken, and `.unavailable`;
        ///   `CancellationError`.
        public func add(_ user: User) async throws {
            try await database.writeTravels(isolation: .serializable) { db in
                guard try PersonRecord.find(user.id, db) == nil else { throw TravelError.conflict(.user(user.id)) }
                try requireFree(user.nickname, for: user.id, db)
                guard try PersonRecord.save(user, db) else { throw TravelError.conflict(.user(user.id)) }
            }
        }

        /// - Throws: `TravelError.notFound`, `.forbidden` for someone else, `.conflict` for a nickname that is taken,
        ///   and `.unavailable`; `CancellationError`.
        public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
            try await database.writeTravels(isolation: .serializable) { db in
                try PersonRecord.require(id, by: user, db)
                try requireFree(nickname, for: id, db)
                try PersonRecord.rename(id, to: nickname, db)
            }
        }

        /// Sets the picture of a person, or removes it.
        ///
        /// - Throws: `TravelError.notFound`, `.forbidden` for someone else, `.conflict` for an image that a travel or
        ///   someone else has, and `.unavailable`; `CancellationError`.
        public func setAvatar(_ image: TravelImage?, of id: User.ID, by user: User.ID) async throws {
            try await database.writeTravels(isolation: .serializable) { db in
                try PersonRecord.require(id, by: user, db)
                try AvatarRecord.set(image, of: id, db)
            }
        }

        /// Removes a person with their picture, travels, likes, reports and blocks.
        ///
        /// It takes several transactions if the person has recorded at least 50 travels, or likes or reports at least
        /// 100, so that the writes of others need not wait for all of it. When one of them fails, what has been removed
        /// before stays removed; calling this again continues.
        ///
        /// - Throws: `TravelError.notFound`, `.forbidden` for someone else, and `.unavailable`; `CancellationError`.
        public func removeUser(_ id: User.ID, by user: User.ID) async throws {
            while try await !removePart(of: id, by: user) {}
        }

        /// Removes some travels of a person, then some of their likes and reports, or finally the person. Returns
        /// whether nothing is left.
        private func removePart(of id: User.ID, by user: User.ID) async throws -> Bool {
            // The locks order this and other writes: first the person, to whom nothing is added meanwhile, then
            // travels, which others like and edit after locking them, too.
            try await database.writeTravels(isolation: .readCommitted) { db in
                try PersonRecord.require(id, by: user, db)
                try db.execute("SELECT id FROM person WHERE id = \(id.rawValue) FOR UPDATE")
                if try TravelRecord.removeSome(by: id, atMost: 50, db) == 50 { return false }
                let likes = try CountedRecord.like.removeSome(of: id, atMost: 100, db)
                let reports = try CountedRecord.report.removeSome(of: id, atMost: 100, db)
                if max(likes, reports) == 100 { return false }
                try PersonRecord.remove(id, db)
                return true
            }
        }

        private func requireFree(_ nickname: Nickname, for user: User.ID, _ db: Connection) throws {
            if let holder = try PersonRecord.holder(of: nickname, except: user, db) {
                throw TravelError.conflict(.user(holder))
            }
        }
    }
#endif
