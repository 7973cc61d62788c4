/// The words of sample values.
enum SampleText {
    static let names = ["민지", "서준", "하윤", "지호", "Mina", "Jun", "Sora", "Tae", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦"]

    static let words = [
        "부산", "바다", "밤바다", "여행", "제주", "서울", "한강", "맛집", "캠핑", "가을", "단풍", "시장", "100%", "50% 할인", "a_b", "it's",
        "\"별\"", "Jeju", "SEOUL", "Café", "cafe\u{301}", "École", "🏝️", "🇰🇷", "👨‍👩‍👧", "京都",
        "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}",
    ]

    static let keywords =
        words + [
            "산", "바", "다 ", "여행 부", "산 밤", "%", "_", "'", "\"", "*", "e", "É", "é", "eou", "jEJU", "🇷", "👩", "없는말", "都",
        ]
}
