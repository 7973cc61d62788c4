/// Removes reports by authors, and rejects them.
enum RejectReportsByAuthors {
    static let script = """
        DELETE FROM reported WHERE person = (SELECT author FROM travel WHERE key = reported.travel);
        CREATE TRIGGER report_is_not_by_author BEFORE INSERT ON reported
        WHEN new.person = (SELECT author FROM travel WHERE key = new.travel) BEGIN
            SELECT RAISE(ABORT, 'authors cannot report their own travels');
        END;
        """
}
