internal import SQLiteStore
import TravelDomain

/// A row of `avatar`: the picture of a person.
enum AvatarRecord {
    /// Stores the picture of the person with the key `person`, or removes it.
    ///
    /// - Throws: `TravelError.conflict` when a travel or someone else has the image.
    static func set(
        _ image: TravelImage?, of person: Int64, _ write: inout ImageWrite, _ db: Connection
    ) throws {
        let former = try db.fetchOne("SELECT id FROM avatar WHERE person = \(person) AND file IS NOT NULL") {
            try TravelImage.ID($0, 0)
        }
        if let image, image.id == former { return }
        write.abandon(try files("person = \(person)", db))
        try db.execute("DELETE FROM avatar WHERE person = \(person)")
        guard let image else { return }
        let isOfTravel = try db.fetchOne(Bool.self, "SELECT EXISTS (SELECT 1 FROM image WHERE id = \(image.id.bytes))")
        guard isOfTravel == false else { throw TravelError.conflict(.image(image.id)) }
        _ = try TravelRecord.unique(.image(image.id)) {
            try db.execute(
                """
                INSERT INTO avatar (person, id, file, size)
                VALUES (\(person), \(image.id.bytes), \(write.file(of: image.id).bytes), \(image.bytes.count))
                """)
        }
    }

    /// Stores the picture of a person as another store has answered it, without a file if it is a new one.
    static func setSeen(
        _ image: TravelImage.ID?, of person: Int64, _ write: inout ImageWrite, _ db: Connection
    ) throws {
        let known = try db.fetchOne("SELECT id FROM avatar WHERE person = \(person)") { try TravelImage.ID($0, 0) }
        if image == known { return }
        // Someone else who had it must have changed theirs since.
        let isReplaced: SQL = "(person = \(person) OR id = \(image?.bytes))"
        write.abandon(try files(isReplaced, db))
        try db.execute("DELETE FROM avatar WHERE \(isReplaced)")
        guard let image else { return }
        try db.execute("INSERT INTO avatar (person, id) VALUES (\(person), \(image.bytes))")
    }

    /// Stores the file of a picture that another store has; returns whether it was lacking.
    static func setFile(_ file: ImageFile.ID, of image: TravelImage, _ db: Connection) throws -> Bool {
        try db.execute(
            """
            UPDATE avatar SET (file, size) = (\(file.bytes), \(image.bytes.count))
            WHERE id = \(image.id.bytes) AND file IS NULL
            """) == 1
    }

    /// The files of the pictures that meet `condition`.
    static func files(_ condition: SQL, _ db: Connection) throws -> [ImageFile.ID] {
        try db.fetchAll("SELECT file FROM avatar WHERE \(condition) AND file IS NOT NULL") { try ImageFile.ID($0, 0) }
    }

    /// Checks that no person has that image.
    static func requireNone(_ image: TravelImage.ID, _ db: Connection) throws {
        let isThere = try db.fetchOne(Bool.self, "SELECT EXISTS (SELECT 1 FROM avatar WHERE id = \(image.bytes))")
        if isThere == true { throw TravelError.conflict(.image(image)) }
    }
}
