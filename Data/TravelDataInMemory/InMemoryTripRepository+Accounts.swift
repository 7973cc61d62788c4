public import TravelDomain

extension InMemoryTripRepository: AccountRepository {
    public func addAccount(
        _ user: User, password: PasswordHash, at time: Date, invitation: TokenDigest?
    ) async throws {
        try Task.checkCancellation()
        if let invitation, !invitations.contains(invitation) { throw TravelError.invalid(.noInvitation) }
        try insert(user)
        if let invitation { invitations.remove(invitation) }
        passwords[user.id] = password
        accountsSince[user.id] = time
    }

    public func addInvitations(_ new: [TokenDigest], at time: Date) async throws {
        try Task.checkCancellation()
        invitations.formUnion(new)
    }

    public func hasInvitation(_ invitation: TokenDigest) async throws -> Bool {
        try Task.checkCancellation()
        return invitations.contains(invitation)
    }

    public func account(named nickname: Nickname) async throws -> Account? {
        try Task.checkCancellation()
        return passwords.keys.first { users[$0]?.nickname.folded == nickname.folded }.flatMap(storedAccount)
    }

    public func account(of user: User.ID) async throws -> Account? {
        try Task.checkCancellation()
        return storedAccount(user)
    }

    public func setPassword(
        _ password: PasswordHash, replacing former: PasswordHash, of user: User.ID
    ) async throws {
        try Task.checkCancellation()
        try requirePassword(former, of: user)
        passwords[user] = password
        removeDevices { $0.user == user }
    }

    public func rehash(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {
        try Task.checkCancellation()
        if passwords[user] == former { passwords[user] = password }
    }

    public func addDevice(_ device: SignedInDevice, provenBy password: PasswordHash) async throws {
        try Task.checkCancellation()
        try requirePassword(password, of: device.user)
        guard !blockedAccounts.contains(device.user) else { throw TravelError.forbidden(.user(device.user)) }
        devices[device.id] = device
    }

    public func device(withAccess digest: TokenDigest) async throws -> SignedInDevice? {
        try Task.checkCancellation()
        return devices.values.first { $0.tokens.access == digest }
    }

    public func renewDevice(
        _ refresh: TokenDigest, at now: Date, with tokens: DeviceTokens
    ) async throws -> Renewal {
        try Task.checkCancellation()
        if let used = usedTokens[refresh], now < used.expiresAt {
            if let device = devices[used.device], device.tokens.refresh == tokens.refresh,
                now < device.tokens.refreshExpiresAt, let user = users[device.user],
                !usedTokens.values.contains(where: { $0.device == device.id && $0.expiresAt > used.expiresAt })
            {
                return .renewed(replaceTokens(of: device, by: tokens), of: user)
            }
            removeDevices { $0.id == used.device }
            return .reused(used.device)
        }
        guard let device = devices.values.first(where: { $0.tokens.refresh == refresh }),
            now < device.tokens.refreshExpiresAt, let user = users[device.user]
        else { return .unknown }
        if usedTokens[tokens.refresh] != nil || devices.values.contains(where: { $0.tokens.refresh == tokens.refresh })
        {
            removeDevices { $0.id == device.id }
            return .reused(device.id)
        }
        usedTokens[refresh] = (device.id, device.tokens.refreshExpiresAt)
        return .renewed(replaceTokens(of: device, by: tokens), of: user)
    }

    private func replaceTokens(of device: SignedInDevice, by tokens: DeviceTokens) -> SignedInDevice {
        let renewed = SignedInDevice(id: device.id, user: device.user, tokens: tokens)
        devices[device.id] = renewed
        return renewed
    }

    public func removeDevice(_ id: SignedInDevice.ID) async throws {
        try Task.checkCancellation()
        removeDevices { $0.id == id }
    }

    public func removeExpiredDevices(at now: Date) async throws {
        try Task.checkCancellation()
        removeDevices { $0.tokens.refreshExpiresAt <= now }
        usedTokens = usedTokens.filter { $0.value.expiresAt > now }
    }

    func removeDevices(where isRemoved: (SignedInDevice) -> Bool) {
        devices = devices.filter { !isRemoved($0.value) }
        usedTokens = usedTokens.filter { devices[$0.value.device] != nil }
    }

    private func storedAccount(_ user: User.ID) -> Account? {
        guard let user = users[user], let password = passwords[user.id] else { return nil }
        return Account(user: user, password: password)
    }

    private func requirePassword(_ password: PasswordHash, of user: User.ID) throws(TravelError) {
        guard let current = passwords[user] else { throw .notFound(.user(user)) }
        guard current == password else { throw .wrongCredentials }
    }
}
