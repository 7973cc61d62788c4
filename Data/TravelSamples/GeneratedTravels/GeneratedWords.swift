/// The words of generated travels. Their number and order determine the result of a seed.
enum GeneratedWords {
    static let names = ["민지", "서준", "하윤", "지호", "예은", "도윤", "수아", "준서", "지우", "현우", "Mina", "Jun"]

    /// In the order of `Region.ofKorea`.
    static let regions = [
        "서울", "부산", "대구", "인천", "광주", "대전", "울산", "세종", "경기", "강원", "충북", "충남", "전북", "전남", "경북", "경남", "제주",
    ]

    /// The surnames and the syllables of given names in titles: 6,912 names, which make most titles distinct.
    static let surnames = ["김", "이", "박", "최", "정", "강", "조", "윤", "장", "임", "한", "오"]
    static let firstSyllables = [
        "민", "서", "도", "예", "하", "지", "준", "수", "현", "유", "건", "채", "은", "시", "아", "연", "주", "윤", "태", "승", "다", "소",
        "재", "우",
    ]
    static let secondSyllables = [
        "준", "윤", "아", "은", "우", "호", "서", "진", "영", "현", "민", "원", "희", "빈", "율", "린", "안", "연", "후", "혁", "솔", "나",
        "온", "결",
    ]

    static let adjectives = [
        "가을", "겨울", "봄날", "여름", "혼자", "함께", "조용한", "신나는", "맛있는", "푸른", "느린", "오래된", "짧은", "첫", "비오는", "눈오는", "새벽", "한낮",
        "노을", "별밤",
    ]

    static let nouns = [
        "바다", "산책", "골목", "시장", "섬", "호수", "계곡", "해변", "숲길", "카페", "야경", "맛집", "캠핑", "축제", "박물관", "온천", "드라이브", "기차",
        "자전거",
        "등산", "밤바다", "한옥", "폭포", "등대",
    ]

    static let endings = ["여행", "나들이", "산책", "일기", "Tour", "trip"]

    static let signs = ["100%", "🌊", "🏝️", "no.1", "50%", "~", "2박3일", "a_b"]

    static let rareTitles = ["완주 마라톤", "울릉 오징어", "Café 투어", "京都가 그리워", "독도 가는 길", "it's 가을"]
}
