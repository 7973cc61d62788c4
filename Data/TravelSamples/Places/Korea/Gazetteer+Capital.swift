extension Gazetteer {
    static let seoul = """
        경복궁 | Gyeongbokgung Palace | 서울 종로구 사직로 161 | 37.5796 | 126.9770
        창덕궁 | Changdeokgung Palace | 서울 종로구 율곡로 99 | 37.5794 | 126.9910
        창경궁 | Changgyeonggung Palace | 서울 종로구 창경궁로 185 | 37.5787 | 126.9949
        덕수궁 | Deoksugung Palace | 서울 중구 세종대로 99 | 37.5658 | 126.9752
        종묘 | Jongmyo Shrine | 서울 종로구 종로 157 | 37.5744 | 126.9941 | Royal Ancestral Shrine
        광화문광장 | Gwanghwamun Square | 서울 종로구 세종대로 172 | 37.5726 | 126.9769
        북촌한옥마을 | Bukchon Hanok Village | 서울 종로구 계동길 37 | 37.5826 | 126.9836
        인사동길 | Insadong Street | 서울 종로구 인사동길 62 | 37.5743 | 126.9851
        조계사 | Jogyesa Temple | 서울 종로구 우정국로 55 | 37.5740 | 126.9819
        청계광장 | Cheonggye Plaza | 서울 중구 태평로1가 | 37.5691 | 126.9784 | 청계천, Cheonggyecheon Stream
        통인시장 | Tongin Market | 서울 종로구 자하문로15길 18 | 37.5807 | 126.9700
        광장시장 | Gwangjang Market | 서울 종로구 창경궁로 88 | 37.5700 | 126.9994
        남대문시장 | Namdaemun Market | 서울 중구 남대문시장4길 21 | 37.5592 | 126.9776
        명동성당 | Myeongdong Cathedral | 서울 중구 명동길 74 | 37.5634 | 126.9873 | 명동대성당, Myeongdong Catholic Church
        N서울타워 | N Seoul Tower | 서울 용산구 남산공원길 105 | 37.5512 | 126.9882 | 남산타워, 남산서울타워, 서울타워, Namsan Tower, Namsan Seoul Tower
        남산골한옥마을 | Namsangol Hanok Village | 서울 중구 퇴계로34길 28 | 37.5591 | 126.9940
        동대문디자인플라자 | Dongdaemun Design Plaza | 서울 중구 을지로 281 | 37.5665 | 127.0092 | DDP
        낙산공원 | Naksan Park | 서울 종로구 낙산길 41 | 37.5806 | 127.0076
        서대문형무소역사관 | Seodaemun Prison History Hall | 서울 서대문구 통일로 251 | 37.5743 | 126.9561
        서울역 | Seoul Station | 서울 용산구 한강대로 405 | 37.5549 | 126.9708
        국립중앙박물관 | National Museum of Korea | 서울 용산구 서빙고로 137 | 37.5239 | 126.9804
        망원시장 | Mangwon Market | 서울 마포구 포은로8길 14 | 37.5559 | 126.9062
        하늘공원 | Haneul Park | 서울 마포구 하늘공원로 95 | 37.5682 | 126.8851 | Sky Park
        서울식물원 | Seoul Botanic Park | 서울 강서구 마곡동로 161 | 37.5694 | 126.8350
        여의도한강공원 | Yeouido Hangang Park | 서울 영등포구 여의동로 330 | 37.5280 | 126.9331
        63빌딩 | 63 Building | 서울 영등포구 63로 50 | 37.5198 | 126.9402 | 63스퀘어, 63 Square
        반포한강공원 | Banpo Hangang Park | 서울 서초구 신반포로11길 40 | 37.5100 | 126.9955
        예술의전당 | Seoul Arts Center | 서울 서초구 남부순환로 2406 | 37.4786 | 127.0118
        서울숲 | Seoul Forest | 서울 성동구 뚝섬로 273 | 37.5444 | 127.0390
        성수동 카페거리 | Seongsu Cafe Street | 서울 성동구 성수동2가 | 37.5433 | 127.0566 | 성수동 카페골목
        봉은사 | Bongeunsa Temple | 서울 강남구 봉은사로 531 | 37.5148 | 127.0573
        코엑스 | COEX | 서울 강남구 영동대로 513 | 37.5118 | 127.0592
        석촌호수 | Seokchon Lake | 서울 송파구 잠실로 148 | 37.5094 | 127.1010
        롯데월드타워 | Lotte World Tower | 서울 송파구 올림픽로 300 | 37.5126 | 127.1025 | 롯데타워
        올림픽공원 | Olympic Park | 서울 송파구 올림픽로 424 | 37.5206 | 127.1214
        북한산 백운대 | Bukhansan Baegundae Peak | 서울 강북구 우이동 | 37.6587 | 126.9779 | 북한산, Bukhansan Mountain
        """

    static let incheon = """
        인천국제공항 제1터미널 | Incheon International Airport Terminal 1 | 인천 중구 공항로 272 | 37.4493 | 126.4510 | 인천공항, Incheon Airport, ICN
        인천역 | Incheon Station | 인천 중구 제물량로 269 | 37.4766 | 126.6169
        인천 차이나타운 | Incheon Chinatown | 인천 중구 차이나타운로 | 37.4755 | 126.6180
        송월동 동화마을 | Songwol-dong Fairy Tale Village | 인천 중구 송월동3가 | 37.4780 | 126.6195
        자유공원 | Jayu Park | 인천 중구 자유공원남로 25 | 37.4750 | 126.6222
        신포국제시장 | Sinpo International Market | 인천 중구 우현로49번길 11-5 | 37.4716 | 126.6278 | 신포시장
        월미도 | Wolmido Island | 인천 중구 월미문화로 81 | 37.4755 | 126.5970
        을왕리해수욕장 | Eurwangni Beach | 인천 중구 용유서로302번길 16-15 | 37.4475 | 126.3725 | 을왕리해변, Eulwangni Beach
        송도센트럴파크 | Songdo Central Park | 인천 연수구 컨벤시아대로 160 | 37.3924 | 126.6389
        소래포구 | Sorae Port | 인천 남동구 소래역로 12 | 37.3988 | 126.7370
        인천대공원 | Incheon Grand Park | 인천 남동구 장수동 | 37.4580 | 126.7535
        인천문학경기장 | Incheon Munhak Stadium | 인천 미추홀구 매소홀로 618 | 37.4350 | 126.6907
        부평역 | Bupyeong Station | 인천 부평구 광장로 16 | 37.4895 | 126.7244
        강화 전등사 | Jeondeungsa Temple | 인천 강화군 길상면 전등사로 37-41 | 37.6320 | 126.4840
        동막해변 | Dongmak Beach | 인천 강화군 화도면 해안남로 1481 | 37.5935 | 126.4572 | 동막해수욕장
        석모도 보문사 | Bomunsa Temple | 인천 강화군 삼산면 삼산남로828번길 44 | 37.6885 | 126.3217
        """

    static let gyeonggi = """
        수원역 | Suwon Station | 경기 수원시 팔달구 덕영대로 924 | 37.2662 | 127.0000
        화성행궁 | Hwaseong Haenggung Palace | 경기 수원시 팔달구 정조로 825 | 37.2820 | 127.0138
        수원화성 장안문 | Janganmun Gate | 경기 수원시 장안구 정조로 910 | 37.2888 | 127.0142
        수원 팔달문 | Paldalmun Gate | 경기 수원시 팔달구 정조로 780 | 37.2776 | 127.0166
        한국민속촌 | Korean Folk Village | 경기 용인시 기흥구 민속촌로 90 | 37.2590 | 127.1181
        에버랜드 | Everland | 경기 용인시 처인구 포곡읍 에버랜드로 199 | 37.2939 | 127.2026
        판교역 | Pangyo Station | 경기 성남시 분당구 판교역로 160 | 37.3948 | 127.1112
        남한산성행궁 | Namhansanseong Haenggung Palace | 경기 광주시 남한산성면 남한산성로 784-16 | 37.4787 | 127.1826
        서울대공원 | Seoul Grand Park | 경기 과천시 대공원광장로 102 | 37.4275 | 127.0170
        국립현대미술관 과천 | MMCA Gwacheon | 경기 과천시 광명로 313 | 37.4313 | 127.0203 | 과천현대미술관, National Museum of Modern and Contemporary Art Gwacheon
        광명동굴 | Gwangmyeong Cave | 경기 광명시 가학로85번길 142 | 37.4257 | 126.8657
        일산호수공원 | Ilsan Lake Park | 경기 고양시 일산동구 호수로 595 | 37.6560 | 126.7660
        킨텍스 | KINTEX | 경기 고양시 일산서구 킨텍스로 217-60 | 37.6688 | 126.7459 | 한국국제전시장, Korea International Exhibition Center
        헤이리예술마을 | Heyri Art Village | 경기 파주시 탄현면 헤이리마을길 70-21 | 37.7890 | 126.6985
        임진각 | Imjingak | 경기 파주시 문산읍 임진각로 177 | 37.8893 | 126.7404 | 평화누리공원, Imjingak Pyeonghoa Nuri Park
        두물머리 | Dumulmeori | 경기 양평군 양서면 두물머리길 125 | 37.5330 | 127.3175 | 양수리
        양평역 | Yangpyeong Station | 경기 양평군 양평읍 역전길 30 | 37.4928 | 127.4918
        아침고요수목원 | Garden of Morning Calm | 경기 가평군 상면 수목원로 432 | 37.7437 | 127.3525
        쁘띠프랑스 | Petite France | 경기 가평군 청평면 호반로 1063 | 37.7148 | 127.4905
        포천아트밸리 | Pocheon Art Valley | 경기 포천시 신북면 아트밸리로 234 | 37.9235 | 127.2376
        비둘기낭폭포 | Bidulginang Falls | 경기 포천시 영북면 대회산리 | 38.0798 | 127.2169
        소요산역 | Soyosan Station | 경기 동두천시 평화로2925번길 | 37.9481 | 127.0611
        궁평항 | Gungpyeong Port | 경기 화성시 서신면 궁평항로 1049-24 | 37.1163 | 126.6810
        제부도 케이블카 전곡항 | Jebudo Cable Car Jeongok Port | 경기 화성시 서신면 전곡항로 1-10 | 37.1839 | 126.6502
        """
}
