/// Adds the pictures of people. Like the images of travels, they are files (`ImageFolder`); a picture that another
/// store has, and this one does not know, has no file.
enum AddPicturesOfPeople {
    static let script = """
        CREATE TABLE avatar (
            person INTEGER PRIMARY KEY REFERENCES person (key) ON DELETE CASCADE,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            file BLOB UNIQUE CHECK (length(file) = 16),
            size INTEGER CHECK (size BETWEEN 1 AND 10485760),
            CHECK ((file IS NULL) = (size IS NULL))
        ) STRICT;
        """
}

/// Adds the people whom a cache knows only by ID: those who like or block something, before their profile is fetched.
enum AddPeopleWithoutProfile {
    static let script = """
        CREATE TABLE unseen_person (
            person INTEGER PRIMARY KEY REFERENCES person (key) ON DELETE CASCADE
        ) STRICT;
        """
}
