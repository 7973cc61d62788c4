import TravelDomain

extension SampleTrips {
    /// The letters that stand for the travellers in the texts, in the order of ``nicknames``.
    static let travelerLetters: [Character] = Array("abcdefghijklmn")

    /// The nicknames of the travellers.
    static let nicknames = [
        "바다냥", "느린걸음", "김밥두줄", "산이부른다", "소금빵", "주말엔기차", "mina_k",
        "초록지붕", "별헤는밤", "두부아빠", "제주살이7", "국밥탐험대", "노을수집가", "캠핑하는곰",
    ]

    /// The traveller with that letter.
    static func traveler(_ letter: Character) -> User? {
        travelerLetters.firstIndex(of: letter).map { travelers[$0] }
    }
}
