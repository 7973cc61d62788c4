/// Indexes all travels, and those of an author, in the order of their first days.
enum IndexByDate {
    static let script = """
        CREATE INDEX travel_by_date ON travel (first_day, created_at, id);
        CREATE INDEX travel_author_by_date ON travel (author, first_day, created_at, id);
        """
}
