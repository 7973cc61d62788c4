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
        /// - Throws: `TravelError.notFound`, `.forbidden` for someone else, and `.unavailable`; `CancellationError`.
        public func removeUser(_ id: User.ID, by user: User.ID) async throws {
            try await database.writeTravels { db in
                try PersonRecord.require(id, by: user, db)
                let person = id.rawValue
                try db.execute("DELETE FROM travel WHERE author = \(person)")
                try db.execute(
                    """
                    UPDATE travel_rank SET like_count = like_count - 1 FROM liked
                    WHERE liked.travel = travel_rank.travel AND liked.person = \(person)
                    """)
                try db.execute(
                    """
                    UPDATE travel_rank SET report_count = report_count - 1 FROM reported
                    WHERE reported.travel = travel_rank.travel AND reported.person = \(person)
                    """)
                try db.execute("DELETE FROM liked WHERE person = \(person)")
                try db.execute("DELETE FROM reported WHERE person = \(person)")
                try db.execute("DELETE FROM blocked WHERE person = \(person) OR author = \(person)")
                try db.execute("DELETE FROM avatar WHERE person = \(person)")
                try db.execute("DELETE FROM person WHERE id = \(person)")
            }
        }

        private func requireFree(_ nickname: Nickname, for user: User.ID, _ db: Connection) throws {
            if let holder = try PersonRecord.holder(of: nickname, except: user, db) {
                throw TravelError.conflict(.user(holder))
            }
        }
    }
#endif
