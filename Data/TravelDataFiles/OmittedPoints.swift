/// The points that a reader has left out.
struct OmittedPoints {
    private(set) var count = 0
    /// What is wrong with the first of them.
    private(set) var firstFault: TravelFileError?

    mutating func add(_ fault: TravelFileError) {
        firstFault = firstFault ?? fault
        count += 1
    }

    /// Refuses a file with as many unreadable points as others, with the first of them.
    func require(beside read: Int) throws(TravelFileError) {
        if let firstFault, count >= read { throw firstFault }
    }
}
