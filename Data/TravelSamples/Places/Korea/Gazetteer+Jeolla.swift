extension Gazetteer {
    static let gwangju = """
        광주송정역 | Gwangju Songjeong Station | 광주 광산구 상무대로 201 | 35.1377 | 126.7920
        1913송정역시장 | 1913 Songjeong Station Market | 광주 광산구 송정로8번길 13 | 35.1383 | 126.7952
        국립아시아문화전당 | Asia Culture Center | 광주 동구 문화전당로 38 | 35.1469 | 126.9203 | ACC
        충장로 | Chungjang-ro Street | 광주 동구 충장로 | 35.1487 | 126.9158
        양림동 펭귄마을 | Yangnim-dong Penguin Village | 광주 남구 천변좌로446번길 7 | 35.1407 | 126.9165
        양동시장 | Yangdong Market | 광주 서구 천변좌로 238 | 35.1541 | 126.9020
        국립광주박물관 | Gwangju National Museum | 광주 북구 하서로 110 | 35.1897 | 126.8834
        광주비엔날레전시관 | Gwangju Biennale Hall | 광주 북구 비엔날레로 111 | 35.1826 | 126.8893
        전남대학교 | Chonnam National University | 광주 북구 용봉로 77 | 35.1765 | 126.9058
        국립5·18민주묘지 | May 18th National Cemetery | 광주 북구 민주로 200 | 35.2356 | 126.9398
        환벽당 | Hwanbyeokdang Pavilion | 광주 북구 환벽당길 10 | 35.1858 | 127.0031
        무등산 증심사 | Jeungsimsa Temple | 광주 동구 증심사길 177 | 35.1288 | 126.9708 | 증심사
        광주-기아 챔피언스 필드 | Gwangju-Kia Champions Field | 광주 북구 서림로 10 | 35.1681 | 126.8891
        광주월드컵경기장 | Gwangju World Cup Stadium | 광주 서구 금화로 240 | 35.1339 | 126.8750
        김대중컨벤션센터 | Kimdaejung Convention Center | 광주 서구 상무누리로 30 | 35.1468 | 126.8403
        """

    static let jeonbuk = """
        전주역 | Jeonju Station | 전북 전주시 덕진구 동부대로 680 | 35.8499 | 127.1619
        전주한옥마을 | Jeonju Hanok Village | 전북 전주시 완산구 기린대로 99 | 35.8152 | 127.1530
        경기전 | Gyeonggijeon Shrine | 전북 전주시 완산구 태조로 44 | 35.8153 | 127.1498
        전동성당 | Jeondong Cathedral | 전북 전주시 완산구 태조로 51 | 35.8133 | 127.1492
        풍남문 | Pungnammun Gate | 전북 전주시 완산구 풍남문3길 1 | 35.8136 | 127.1477
        전주남부시장 | Jeonju Nambu Market | 전북 전주시 완산구 풍남문2길 63 | 35.8120 | 127.1465
        오목대 | Omokdae Pavilion | 전북 전주시 완산구 기린대로 55 | 35.8142 | 127.1558
        전주 덕진공원 | Deokjin Park | 전북 전주시 덕진구 권삼득로 390 | 35.8476 | 127.1219 | 덕진연못
        익산역 | Iksan Station | 전북 익산시 익산대로 153 | 35.9405 | 126.9463
        미륵사지 | Mireuksa Temple Site | 전북 익산시 금마면 미륵사지로 362 | 36.0118 | 127.0300
        군산근대역사박물관 | Gunsan Modern History Museum | 전북 군산시 해망로 240 | 35.9910 | 126.7113
        이성당 | Leesungdang Bakery | 전북 군산시 중앙로 177 | 35.9871 | 126.7110
        초원사진관 | Chowon Photo Studio | 전북 군산시 구영2길 12-1 | 35.9870 | 126.7090
        채석강 | Chaeseokgang Cliffs | 전북 부안군 변산면 변산해변로 1 | 35.6275 | 126.4690
        내소사 | Naesosa Temple | 전북 부안군 진서면 내소사로 243 | 35.6175 | 126.5873
        선운사 | Seonunsa Temple | 전북 고창군 아산면 선운사로 250 | 35.4968 | 126.5785
        고창읍성 | Gochangeupseong Fortress | 전북 고창군 고창읍 모양성로 1 | 35.4315 | 126.7045
        내장산국립공원 | Naejangsan National Park | 전북 정읍시 내장산로 936 | 35.4811 | 126.8894 | 내장산, Naejangsan Mountain
        남원 광한루원 | Gwanghalluwon Garden | 전북 남원시 요천로 1447 | 35.4032 | 127.3794
        덕유산 향적봉 | Deogyusan Hyangjeokbong Peak | 전북 무주군 설천면 삼공리 | 35.8590 | 127.7464 | 덕유산, Deogyusan Mountain
        """

    static let jeonnam = """
        여수엑스포역 | Yeosu Expo Station | 전남 여수시 망양로 2 | 34.7530 | 127.7470 | 여수역, Yeosu Station
        오동도 | Odongdo Island | 전남 여수시 오동도로 222 | 34.7446 | 127.7664
        여수 이순신광장 | Yeosu Yi Sun-sin Square | 전남 여수시 선어시장길 6 | 34.7388 | 127.7360
        여수 진남관 | Jinnamgwan Hall | 전남 여수시 동문로 11 | 34.7413 | 127.7366
        순천역 | Suncheon Station | 전남 순천시 팔마로 135 | 34.9458 | 127.5033
        순천만습지 | Suncheonman Bay Wetland | 전남 순천시 순천만길 513-25 | 34.8860 | 127.5090 | Suncheon Bay
        낙안읍성 | Naganeupseong Village | 전남 순천시 낙안면 충민길 30 | 34.9071 | 127.3412 | 낙안민속마을
        선암사 | Seonamsa Temple | 전남 순천시 승주읍 선암사길 450 | 34.9960 | 127.3309
        송광사 | Songgwangsa Temple | 전남 순천시 송광면 송광사안길 100 | 35.0022 | 127.2761
        보성역 | Boseong Station | 전남 보성군 보성읍 현충로 90 | 34.7671 | 127.0816
        보성 대한다원 | Daehan Dawon Tea Field | 전남 보성군 보성읍 녹차로 763-67 | 34.7155 | 127.0812 | 보성 녹차밭, Boseong Green Tea Field
        죽녹원 | Juknokwon Bamboo Garden | 전남 담양군 담양읍 죽녹원로 119 | 35.3266 | 126.9855
        관방제림 | Gwanbangjerim Forest | 전남 담양군 담양읍 객사7길 37 | 35.3237 | 126.9895
        명옥헌 원림 | Myeongokheon Garden | 전남 담양군 고서면 후산길 103 | 35.2195 | 126.9963
        목포역 | Mokpo Station | 전남 목포시 영산로 98 | 34.7912 | 126.3866
        유달산 노적봉 | Yudalsan Nojeokbong | 전남 목포시 유달로 180 | 34.7880 | 126.3775
        목포근대역사관 | Mokpo Modern History Museum | 전남 목포시 영산로29번길 6 | 34.7873 | 126.3815
        대흥사 | Daeheungsa Temple | 전남 해남군 삼산면 대흥사길 400 | 34.4764 | 126.6169
        땅끝 송호해변 | Songho Beach | 전남 해남군 송지면 땅끝해안로 1827 | 34.3153 | 126.5186
        땅끝마을 | Ttangkkeut Village | 전남 해남군 송지면 땅끝마을길 42 | 34.2990 | 126.5268
        화엄사 | Hwaeomsa Temple | 전남 구례군 마산면 화엄사로 539 | 35.2572 | 127.4971
        나주역 | Naju Station | 전남 나주시 나주역길 56 | 35.0145 | 126.7171
        """
}
