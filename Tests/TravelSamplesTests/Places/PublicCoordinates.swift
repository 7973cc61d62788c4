import TravelDomain

@testable import TravelSamples

/// The coordinates of well-known places in public sources, for comparison with the gazetteer.
struct PublicCoordinate: Sendable {
    let name: String
    let source: String
    let coordinate: Coordinate

    /// One per line: the name, the source, the latitude and the longitude in degrees. The sources are
    ///
    /// - `register`: the national standard data of tourist sites (전국관광지정보표준데이터, Ministry of the Interior and Safety),
    /// - `tourism`: the sites of the Korea Tourism Organization,
    /// - `geocoded`: the addresses of the Korea Tourism Organization, geocoded on a map,
    /// - `temples`: the addresses of the Templestay programme, geocoded on a map,
    /// - `beaches`: the bathing beaches of the Korea Meteorological Administration,
    /// - `railway`: the stations of the Korea Railroad Corporation.
    static func all() throws -> [PublicCoordinate] {
        try TextLine.lines(of: text).map { line in
            let fields = try line.fields(4)
            return PublicCoordinate(
                name: fields[0], source: fields[1],
                coordinate: try Coordinate(latitude: Double(fields[2]) ?? .nan, longitude: Double(fields[3]) ?? .nan))
        }
    }

    private static let text = """
        N서울타워 | register | 37.55112 | 126.98787
        봉은사 | temples | 37.51485 | 127.05738
        조계사 | temples | 37.57384 | 126.98220
        경복궁 | geocoded | 37.58124 | 126.97700
        63빌딩 | tourism | 37.51987 | 126.94033
        범어사 | register | 35.28304 | 129.06762
        송도해수욕장 | register | 35.07682 | 129.01805
        자갈치시장 | register | 35.09661 | 129.03058
        감천문화마을 | register | 35.09749 | 129.01061
        해동용궁사 | geocoded | 35.18846 | 129.22320
        팔공산 동화사 | temples | 35.99291 | 128.70400
        달성공원 | register | 35.87332 | 128.57538
        이월드 | geocoded | 35.85356 | 128.56500
        계산성당 | tourism | 35.86798 | 128.58777
        소래포구 | register | 37.39883 | 126.74038
        을왕리해수욕장 | beaches | 37.44714 | 126.37209
        석모도 보문사 | geocoded | 37.68827 | 126.32176
        강화 전등사 | temples | 37.63179 | 126.48455
        무등산 증심사 | temples | 35.12875 | 126.96990
        국립아시아문화전당 | geocoded | 35.14708 | 126.92021
        충장로 | tourism | 35.14883 | 126.91514
        광주송정역 | railway | 35.13740 | 126.79100
        동춘당 | register | 36.36538 | 127.44129
        오월드 | register | 36.28750 | 127.39850
        한밭수목원 | register | 36.36647 | 127.38802
        대전역 | railway | 36.33212 | 127.43414
        진하해수욕장 | register | 35.38385 | 129.34602
        일산해수욕장 | beaches | 35.49559 | 129.43100
        태화강국가정원 | geocoded | 35.54903 | 129.29119
        석남사 | tourism | 35.61745 | 129.04039
        울산역 | railway | 35.55133 | 129.13874
        영평사 | temples | 36.47335 | 127.22777
        국립세종수목원 | tourism | 36.49811 | 127.28581
        금강보행교 | tourism | 36.48360 | 127.28880
        베어트리파크 | tourism | 36.67206 | 127.20921
        에버랜드 | register | 37.29407 | 127.20213
        임진각 | register | 37.88954 | 126.74019
        두물머리 | register | 37.53362 | 127.31747
        광명동굴 | register | 37.42468 | 126.86343
        헤이리예술마을 | tourism | 37.78807 | 126.69931
        낙산사 | temples | 38.12462 | 128.62805
        월정사 | temples | 37.73194 | 128.59289
        경포해변 | beaches | 37.80433 | 128.90983
        안목해변 | beaches | 37.77322 | 128.94735
        안반데기 | geocoded | 37.62281 | 128.73931
        정동진역 | railway | 37.69140 | 129.03280
        법주사 | register | 36.53994 | 127.83063
        고수동굴 | geocoded | 36.98871 | 128.38158
        의림지 | tourism | 37.17416 | 128.20810
        오송역 | railway | 36.62016 | 127.32753
        제천역 | railway | 37.12810 | 128.20540
        해미읍성 | register | 36.71356 | 126.55038
        수덕사 | temples | 36.66302 | 126.62255
        만리포해수욕장 | beaches | 36.78802 | 126.14317
        공산성 | tourism | 36.46300 | 127.12681
        정림사지 | tourism | 36.27973 | 126.91326
        천안아산역 | railway | 36.79438 | 127.10452
        미륵사지 | register | 36.01154 | 127.02871
        선운사 | temples | 35.49694 | 126.57823
        내소사 | temples | 35.61745 | 126.58733
        남원 광한루원 | geocoded | 35.40251 | 127.37959
        전동성당 | tourism | 35.81331 | 127.14922
        덕유산 향적봉 | tourism | 35.86038 | 127.74632
        순천만습지 | register | 34.88580 | 127.50928
        낙안읍성 | register | 34.90640 | 127.34182
        여수 진남관 | register | 34.74134 | 127.73657
        화엄사 | register | 35.25732 | 127.49772
        대흥사 | temples | 34.47601 | 126.61630
        목포역 | railway | 34.79194 | 126.38722
        불국사 | temples | 35.78988 | 129.33189
        석굴암 | geocoded | 35.79552 | 129.35034
        첨성대 | geocoded | 35.83471 | 129.21842
        부석사 | geocoded | 36.99918 | 128.68749
        직지사 | temples | 36.11704 | 128.00448
        호미곶 | register | 36.07608 | 129.56653
        포항역 | railway | 36.07170 | 129.34170
        해인사 | register | 35.80150 | 128.09763
        통도사 | temples | 35.48795 | 129.06434
        쌍계사 | temples | 35.23250 | 127.65058
        밀양 영남루 | register | 35.49155 | 128.75561
        외도 보타니아 | register | 34.76951 | 128.71294
        상주은모래비치 | beaches | 34.72031 | 127.98821
        협재해수욕장 | register | 33.39350 | 126.23860
        함덕해수욕장 | beaches | 33.54344 | 126.66945
        김녕해수욕장 | beaches | 33.55799 | 126.75973
        성산일출봉 | tourism | 33.45811 | 126.94152
        만장굴 | tourism | 33.52805 | 126.77068
        마라도 | tourism | 33.11863 | 126.26743
        """
}
