/// The ordinary texts for compatibility characters: `km` for `㎞`, `(주)` for `㈜`, `1/2` for `½`.
///
/// The table contains the characters of Korean and Latin keyboards and of their symbol lists: full-width and half-width
/// letters, digits, signs, kana and jamo; numbers, letters and syllables in circles and parentheses; raised and lowered
/// digits; fractions; Roman numerals; units; styled Latin letters and digits; and signs of several letters, such as
/// `℃`, `№` and `…`. It omits characters that titles rarely contain: squared words of katakana, CJK months and hours,
/// radicals, Arabic presentation forms, and variants of Greek letters.
///
/// The texts are those of Normalization Form KC (Unicode Standard Annex 15), which the standard library does not offer,
/// except that a fraction has the slash of a keyboard, and that a lone letter of Hangul is the one that a keyboard
/// types.
enum CompatibilityForms {
    /// The ordinary text for `scalar`, if it is a compatibility character.
    static func ordinary(_ scalar: Unicode.Scalar) -> String? {
        scalar.value < firstValue ? nil : texts[scalar.value]
    }

    private static let firstValue: UInt32 = 0xAA

    private static let texts = Dictionary(
        runs.flatMap { first, texts in zip(first..., texts).map { ($0, $1) } } + signs.map { ($0.value, $1) },
        uniquingKeysWith: { first, _ in first })

    /// Runs of adjacent characters: the first, and the texts for it and those that follow.
    private static let runs: [(UInt32, [String])] = [
        (0xFF01, scalars(0x21...0x7E)), (0xFFA1, scalars(0x3131...0x314E)), (0xFFC2, scalars(0x314F...0x3154)),
        (0xFFCA, scalars(0x3155...0x315A)), (0xFFD2, scalars(0x315B...0x3160)), (0xFFDA, scalars(0x3161...0x3163)),
        (
            0xFF66,
            "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
                .unicodeScalars.map { String($0) } + ["\u{3099}", "\u{309A}"]
        ),
        (0x2074, numbers(4...9)), (0x2080, numbers(0...9)),
        (0x2460, numbers(1...20)), (0x3251, numbers(21...35)), (0x32B1, numbers(36...50)),
        (0x2474, numbers(1...20).map { "(\($0))" }), (0x2488, numbers(1...20).map { "\($0)." }),
        (0x249C, letters.map { "(\($0))" }), (0x24B6, letters + letters), (0x1F130, letters),
        (0x1D400, (1...26).flatMap { _ in letters }), (0x1D7CE, (1...5).flatMap { _ in numbers(0...9) }),
        (0x2160, roman), (0x2170, roman),
        (0x2150, words("1/7 1/9 1/10 1/3 2/3 1/5 2/5 3/5 4/5 1/6 5/6 1/8 3/8 5/8 7/8")),
        (0xBC, words("1/4 1/2 3/4")),
        (0x3200, (consonants + syllables + words("주 오전 오후")).map { "(\($0))" }),
        (0x3260, consonants + syllables + words("참고 주의 우")),
        (0x3371, words("hPa da AU bar oV pc dm dm2 dm3 IU")),
        (
            0x3380,
            words(
                """
                pA nA μA mA kA KB MB GB cal kcal pF nF μF μg mg kg Hz kHz MHz GHz THz μl ml dl kl fm nm μm mm cm km \
                mm2 cm2 m2 km2 mm3 cm3 m3 km3 m/s m/s2 Pa kPa MPa GPa rad rad/s rad/s2 ps ns μs ms pV nV μV mV kV MV \
                pW nW μW mW kW MW kΩ MΩ a.m. Bq cc cd C/kg Co. dB Gy ha HP in KK KM kt lm ln log lx mb mil mol PH \
                p.m. PPM PR sr Sv Wb V/m A/m
                """)
        ),
    ]

    private static let signs: [(Unicode.Scalar, String)] = [
        ("ª", "a"), ("º", "o"), ("ⁱ", "i"), ("ⁿ", "n"), ("²", "2"), ("³", "3"), ("¹", "1"), ("⁰", "0"), ("⓪", "0"),
        ("｡", "。"),
        ("｢", "「"), ("｣", "」"), ("､", "、"), ("･", "・"), ("￠", "¢"), ("￡", "£"), ("￢", "¬"), ("￤", "¦"),
        ("￥", "¥"), ("￦", "₩"), ("℃", "°C"), ("℉", "°F"), ("ℓ", "l"), ("№", "No"), ("℠", "SM"), ("℡", "TEL"),
        ("™", "TM"), ("℻", "FAX"), ("‥", ".."), ("…", "..."), ("‼", "!!"), ("⁇", "??"), ("⁈", "?!"), ("⁉", "!?"),
        // The styled letters that are not among the others.
        ("ℂ", "C"), ("ℊ", "g"), ("ℋ", "H"), ("ℌ", "H"), ("ℍ", "H"), ("ℎ", "h"), ("ℐ", "I"), ("ℑ", "I"), ("ℒ", "L"),
        ("ℕ", "N"), ("ℙ", "P"), ("ℚ", "Q"), ("ℛ", "R"), ("ℜ", "R"), ("ℝ", "R"), ("ℤ", "Z"), ("ℨ", "Z"), ("ℬ", "B"),
        ("ℭ", "C"), ("ℯ", "e"), ("ℰ", "E"), ("ℱ", "F"), ("ℳ", "M"), ("ℴ", "o"),
    ]

    private static let letters = scalars(0x61...0x7A)
    private static let roman = words("i ii iii iv v vi vii viii ix x xi xii l c d m")
    private static let consonants = words("ㄱ ㄴ ㄷ ㄹ ㅁ ㅂ ㅅ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ")
    private static let syllables = words("가 나 다 라 마 바 사 아 자 차 카 타 파 하")

    private static func words(_ list: String) -> [String] { list.split(separator: " ").map { String($0) } }

    private static func numbers(_ range: ClosedRange<Int>) -> [String] { range.map { String($0) } }

    private static func scalars(_ values: ClosedRange<UInt32>) -> [String] {
        values.map { Unicode.Scalar($0).map { String($0) } ?? "" }
    }
}
