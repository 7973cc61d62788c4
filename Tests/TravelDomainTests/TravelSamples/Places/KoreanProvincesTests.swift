import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelSamples

@Suite("Provinces by their boundaries")
struct KoreanProvincesTests {
    /// Town halls and other well-known points, many within a few kilometres of the next province.
    private static let places: [(region: Region, name: String, latitude: Double, longitude: Double)] = [
        (.gyeonggi, "부천", 37.5034, 126.7660), (.gyeonggi, "구리", 37.5943, 127.1296),
        (.gyeonggi, "하남", 37.5393, 127.2148),
        (.gyeonggi, "과천", 37.4292, 126.9876), (.gyeonggi, "광명", 37.4786, 126.8646),
        (.gyeonggi, "김포", 37.6153, 126.7156),
        (.gyeonggi, "고양", 37.6584, 126.8320), (.gyeonggi, "의정부", 37.7381, 127.0337),
        (.gyeonggi, "성남", 37.4200, 127.1265),
        (.gyeonggi, "안양", 37.3943, 126.9568), (.gyeonggi, "시흥", 37.3800, 126.8029),
        (.gyeonggi, "남양주", 37.6360, 127.2165),
        (.gyeonggi, "여주", 37.2984, 127.6370), (.gyeonggi, "가평", 37.8315, 127.5095),
        (.gyeonggi, "포천", 37.8949, 127.2003),
        (.gyeonggi, "평택", 36.9921, 127.1127), (.gyeonggi, "안성", 37.0080, 127.2797),
        (.gyeonggi, "이천", 37.2723, 127.4350),
        (.seoul, "김포공항", 37.5587, 126.7945), (.seoul, "강동", 37.5301, 127.1238), (.seoul, "금천", 37.4569, 126.8955),
        (.seoul, "도봉", 37.6688, 127.0471), (.incheon, "강화", 37.7466, 126.4879), (.incheon, "영종", 37.4925, 126.4929),
        (.incheon, "백령도", 37.9660, 124.6700), (.busan, "기장", 35.2446, 129.2222), (.busan, "해운대", 35.1587, 129.1604),
        (.gyeongnam, "양산", 35.3350, 129.0374), (.gyeongnam, "김해", 35.2285, 128.8894),
        (.gyeongnam, "진해", 35.1497, 128.6600),
        (.gyeongnam, "창녕", 35.5446, 128.4922), (.gyeongnam, "하동", 35.0672, 127.7513),
        (.gyeongnam, "함양", 35.5205, 127.7252),
        (.gyeongnam, "거창", 35.6867, 127.9095), (.daegu, "현풍", 35.6980, 128.4467), (.daegu, "대구", 35.8714, 128.6014),
        (.daegu, "군위", 36.2428, 128.5729), (.daegu, "부계", 36.0650, 128.6530), (.daegu, "의흥", 36.1760, 128.7370),
        (.daegu, "효령", 36.1470, 128.5900), (.gyeongbuk, "경산", 35.8250, 128.7415), (.gyeongbuk, "왜관", 35.9920, 128.4000),
        (.gyeongbuk, "의성", 36.3527, 128.6970), (.gyeongbuk, "영천", 35.9733, 128.9386),
        (.gyeongbuk, "고령", 35.7261, 128.2629),
        (.gyeongbuk, "구미", 36.1195, 128.3446), (.gyeongbuk, "신녕", 36.0438, 128.7847),
        (.gyeongbuk, "경주", 35.8562, 129.2247),
        (.gyeongbuk, "김천", 36.1398, 128.1136), (.gyeongbuk, "문경", 36.5862, 128.1868),
        (.gyeongbuk, "봉화", 36.8931, 128.7325),
        (.gyeongbuk, "울진", 36.9930, 129.4003), (.gyeongbuk, "울릉", 37.4845, 130.9057), (.ulsan, "언양", 35.5680, 129.1240),
        (.sejong, "세종", 36.4801, 127.2890), (.sejong, "조치원", 36.6040, 127.2980), (.chungbuk, "오송", 36.6200, 127.3270),
        (.chungbuk, "청주", 36.6424, 127.4890), (.chungbuk, "옥천", 36.3064, 127.5712),
        (.chungbuk, "영동", 36.1750, 127.7834),
        (.chungbuk, "충주", 36.9910, 127.9259), (.chungbuk, "제천", 37.1326, 128.1910),
        (.chungbuk, "단양", 36.9845, 128.3655),
        (.chungbuk, "진천", 36.8555, 127.4355), (.chungbuk, "음성", 36.9403, 127.6905), (.daejeon, "대전", 36.3504, 127.3845),
        (.chungnam, "공주", 36.4466, 127.1190), (.chungnam, "계룡", 36.2746, 127.2486),
        (.chungnam, "금산", 36.1088, 127.4880),
        (.chungnam, "장항", 36.0050, 126.6950), (.chungnam, "논산", 36.1870, 127.0987),
        (.chungnam, "천안", 36.8151, 127.1139),
        (.chungnam, "아산", 36.7898, 127.0018), (.jeonbuk, "군산", 35.9677, 126.7366), (.jeonbuk, "익산", 35.9483, 126.9576),
        (.jeonbuk, "무주", 36.0068, 127.6608), (.jeonbuk, "고창", 35.4358, 126.7020), (.jeonbuk, "남원", 35.4164, 127.3904),
        (.gwangju, "광주", 35.1595, 126.8526), (.jeonnam, "나주", 35.0158, 126.7108), (.jeonnam, "담양", 35.3211, 126.9880),
        (.jeonnam, "화순", 35.0645, 126.9865), (.jeonnam, "장성", 35.3018, 126.7849), (.jeonnam, "구례", 35.2025, 127.4627),
        (.jeonnam, "광양", 34.9407, 127.6959), (.gangwon, "원주", 37.3422, 127.9202), (.gangwon, "영월", 37.1837, 128.4618),
        (.gangwon, "태백", 37.1641, 128.9856), (.gangwon, "삼척", 37.4500, 129.1650), (.gangwon, "춘천", 37.8813, 127.7300),
        (.gangwon, "철원", 38.1467, 127.3134), (.jeju, "제주", 33.4996, 126.5312), (.jeju, "서귀포", 33.2541, 126.5600),
        (.jeju, "추자도", 33.9620, 126.2970),
    ]

    @Test("a town is in its own province, also beside a border")
    func towns() throws {
        for place in Self.places {
            let coordinate = try Coordinate(latitude: place.latitude, longitude: place.longitude)
            #expect(KoreanProvinces.shared.region(at: coordinate) == place.region, "\(place.name)")
        }
    }

    @Test("every well-known place is in the province of its address, or at sea before it")
    func knownPlaces() {
        for known in Gazetteer.korea.places {
            // The border runs over the peak.
            guard let coordinate = known.place.coordinate, known.place.name != "북한산 백운대" else { continue }
            #expect(KoreanProvinces.shared.region(at: coordinate) == known.region, "\(known.place.name)")
        }
    }

    @Test(
        "a position at sea has the nearest province, and one outside of South Korea none",
        arguments: [
            (35.10, 129.20, .busan), (33.40, 126.95, .jeju), (39.02, 125.75, nil), (33.59, 130.40, nil),
            (34.20, 129.29, nil),
            (37.97, 126.55, nil), (0, 0, nil), (36.5, -127.5, nil),
        ] as [(Double, Double, Region?)])
    func elsewhere(latitude: Double, longitude: Double, region: Region?) throws {
        let coordinate = try Coordinate(latitude: latitude, longitude: longitude)
        #expect(KoreanProvinces.shared.region(at: coordinate) == region)
    }
}
