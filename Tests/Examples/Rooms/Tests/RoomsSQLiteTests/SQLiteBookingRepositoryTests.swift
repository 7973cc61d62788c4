import ContractTesting
import RoomsContract
import RoomsDomain
import RoomsSQLite
import SQLiteStore
import Testing

@Suite("Bookings on SQLite", .timeLimit(.minutes(1)))
struct SQLiteBookingRepositoryTests {
    @Test("bookings on SQLite keep the contract", arguments: BookingContract.checks)
    func keepsContract(check: ContractCheck<any BookingRepository>) async throws {
        try await check.run {
            SQLiteBookingRepository(try await Database.open(.inMemory, migrations: SQLiteBookingRepository.migrations))
        }
    }
}
