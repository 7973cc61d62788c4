extension Gazetteer {
    /// The places of each region as text for ``places(in:from:)``.
    static let texts: [Region: String] = [
        .seoul: """
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
        """,
        .incheon: """
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
        """,
        .gyeonggi: """
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
        """,
        .gangwon: """
        강릉역 | Gangneung Station | 강원 강릉시 용지로 176 | 37.7644 | 128.8996
        경포해변 | Gyeongpo Beach | 강원 강릉시 안현동 | 37.8055 | 128.9080 | 경포해수욕장
        경포대 | Gyeongpodae Pavilion | 강원 강릉시 경포로 365 | 37.7951 | 128.8966
        안목해변 | Anmok Beach | 강원 강릉시 창해로14번길 | 37.7718 | 128.9480 | 안목해수욕장, 강릉 커피거리, Gangneung Coffee Street
        오죽헌 | Ojukheon House | 강원 강릉시 율곡로3139번길 24 | 37.7791 | 128.8785
        정동진역 | Jeongdongjin Station | 강원 강릉시 강동면 정동역길 17 | 37.6915 | 129.0330
        주문진항 | Jumunjin Port | 강원 강릉시 주문진읍 주문리 | 37.8915 | 128.8300
        안반데기 | Anbandegi Highland | 강원 강릉시 왕산면 안반데기길 428 | 37.6226 | 128.7392
        속초해수욕장 | Sokcho Beach | 강원 속초시 조양동 | 38.1905 | 128.6033 | 속초해변
        속초관광수산시장 | Sokcho Tourist Fish Market | 강원 속초시 중앙로147번길 12 | 38.2046 | 128.5903 | 속초중앙시장, Sokcho Central Market
        설악산 케이블카 | Seoraksan Cable Car | 강원 속초시 설악산로 1085 | 38.1731 | 128.4890 | 권금성 케이블카, Gwongeumseong Cable Car
        설악산 대청봉 | Seoraksan Daecheongbong Peak | 강원 양양군 서면 오색리 | 38.1191 | 128.4656 | 설악산, Seoraksan Mountain
        낙산사 | Naksansa Temple | 강원 양양군 강현면 낙산사로 100 | 38.1247 | 128.6283
        하조대해변 | Hajodae Beach | 강원 양양군 현북면 하광정리 | 38.0237 | 128.7250 | 하조대해수욕장
        서피비치 | Surfyy Beach | 강원 양양군 현북면 하조대해안길 119 | 38.0289 | 128.7175 | Surfy Beach
        화진포 | Hwajinpo Lake | 강원 고성군 거진읍 화포리 | 38.4788 | 128.4391
        추암촛대바위 | Chuam Candlestick Rock | 강원 동해시 촛대바위길 28 | 37.4780 | 129.1602 | 추암해변
        동해역 | Donghae Station | 강원 동해시 동해역길 69 | 37.4982 | 129.1216
        춘천역 | Chuncheon Station | 강원 춘천시 공지로 591 | 37.8848 | 127.7170
        춘천 명동닭갈비골목 | Chuncheon Dakgalbi Street | 강원 춘천시 금강로62번길 | 37.8800 | 127.7278
        남이섬 | Nami Island | 강원 춘천시 남산면 남이섬길 1 | 37.7910 | 127.5255 | 나미나라공화국, Naminara Republic
        대관령양떼목장 | Daegwallyeong Sheep Farm | 강원 평창군 대관령면 대관령마루길 483-32 | 37.6886 | 128.7525
        월정사 | Woljeongsa Temple | 강원 평창군 진부면 오대산로 374-8 | 37.7318 | 128.5929
        용평리조트 | Yongpyong Resort | 강원 평창군 대관령면 올림픽로 715 | 37.6437 | 128.6806 | 모나용평, Mona Yongpyong
        정선아리랑시장 | Jeongseon Arirang Market | 강원 정선군 정선읍 5일장길 36 | 37.3797 | 128.6612
        구문소 | Gumunso Pond | 강원 태백시 동태백로 11 | 37.0932 | 129.0418
        """,
        .daejeon: """
        대전역 | Daejeon Station | 대전 동구 중앙로 215 | 36.3323 | 127.4342
        성심당 본점 | Sungsimdang Bakery | 대전 중구 대종로480번길 15 | 36.3277 | 127.4273
        대전중앙시장 | Daejeon Jungang Market | 대전 동구 대전로 783 | 36.3294 | 127.4325
        엑스포과학공원 한빛탑 | Expo Park Hanbit Tower | 대전 유성구 대덕대로 480 | 36.3764 | 127.3877 | 대전엑스포, Daejeon Expo Park
        국립중앙과학관 | National Science Museum | 대전 유성구 대덕대로 481 | 36.3759 | 127.3757
        한밭수목원 | Hanbat Arboretum | 대전 서구 둔산대로 169 | 36.3680 | 127.3875
        대전시립미술관 | Daejeon Museum of Art | 대전 서구 둔산대로 155 | 36.3667 | 127.3860
        유성온천 족욕체험장 | Yuseong Hot Spring Foot Bath | 대전 유성구 봉명동 | 36.3550 | 127.3454
        카이스트 | KAIST | 대전 유성구 대학로 291 | 36.3721 | 127.3604 | 한국과학기술원
        대전월드컵경기장 | Daejeon World Cup Stadium | 대전 유성구 월드컵대로 32 | 36.3653 | 127.3251
        오월드 | O-World | 대전 중구 사정공원로 70 | 36.2888 | 127.3980
        식장산 해돋이전망대 | Sikjangsan Sunrise Observatory | 대전 동구 세천동 | 36.3024 | 127.4806
        대청댐 | Daecheong Dam | 대전 대덕구 대청로 618 | 36.4765 | 127.4812
        동춘당 | Dongchundang House | 대전 대덕구 동춘당로 80 | 36.3654 | 127.4413
        """,
        .sejong: """
        조치원역 | Jochiwon Station | 세종 조치원읍 으뜸길 215 | 36.6013 | 127.2963
        세종전통시장 | Sejong Traditional Market | 세종 조치원읍 조치원8길 42 | 36.6019 | 127.2985
        조천연꽃공원 | Jocheon Lotus Park | 세종 조치원읍 번암리 | 36.5853 | 127.3007
        정부세종청사 | Government Complex Sejong | 세종 도움6로 11 | 36.5040 | 127.2650
        밀마루전망대 | Milmaru Observatory | 세종 도움3로 58 | 36.5054 | 127.2558
        세종호수공원 | Sejong Lake Park | 세종 호수공원길 155 | 36.4983 | 127.2725
        국립세종도서관 | National Library of Korea, Sejong | 세종 다솜3로 48 | 36.4988 | 127.2685
        국립세종수목원 | Sejong National Arboretum | 세종 수목원로 136 | 36.4981 | 127.2866
        금강보행교 | Geumgang Pedestrian Bridge | 세종 세종동 | 36.4850 | 127.2880 | 이응다리
        세종시청 | Sejong City Hall | 세종 한누리대로 2130 | 36.4801 | 127.2890
        베어트리파크 | Bear Tree Park | 세종 전동면 신송로 217 | 36.6721 | 127.2092
        뒤웅박고을 | Dwiungbak Village | 세종 전동면 배일길 90-43 | 36.6759 | 127.2592
        영평사 | Yeongpyeongsa Temple | 세종 장군면 영평사길 124 | 36.4733 | 127.2277
        """,
        .chungbuk: """
        오송역 | Osong Station | 충북 청주시 흥덕구 오송읍 오송가락로 123 | 36.6205 | 127.3274
        청주국제공항 | Cheongju International Airport | 충북 청주시 청원구 내수읍 오창대로 980 | 36.7220 | 127.4955 | 청주공항, Cheongju Airport, CJJ
        청주 성안길 | Seongan-gil Street | 충북 청주시 상당구 성안로 | 36.6348 | 127.4893
        법주사 | Beopjusa Temple | 충북 보은군 속리산면 법주사로 405 | 36.5421 | 127.8333
        도담삼봉 | Dodamsambong Peaks | 충북 단양군 매포읍 삼봉로 644 | 37.0000 | 128.3440
        고수동굴 | Gosu Cave | 충북 단양군 단양읍 고수동굴길 8 | 36.9885 | 128.3816
        단양강 잔도 | Danyanggang River Trail | 충북 단양군 적성면 애곡리 | 36.9780 | 128.3396
        단양구경시장 | Danyang Gugyeong Market | 충북 단양군 단양읍 도전5길 31 | 36.9830 | 128.3690
        사인암 | Sainam Rock | 충북 단양군 대강면 사인암2길 42 | 36.8951 | 128.3411
        온달동굴 | Ondal Cave | 충북 단양군 영춘면 온달로 23 | 37.0590 | 128.4822
        제천역 | Jecheon Station | 충북 제천시 의림대로 1 | 37.1283 | 128.2053
        의림지 | Uirimji Reservoir | 충북 제천시 모산동 | 37.1735 | 128.2105
        청풍호반케이블카 | Cheongpung Lake Cable Car | 충북 제천시 청풍면 문화재길 166 | 37.0013 | 128.1666 | 비봉산 케이블카
        충주댐 | Chungju Dam | 충북 충주시 동량면 조동리 | 37.0066 | 127.9926
        영동역 | Yeongdong Station | 충북 영동군 영동읍 계산로 87 | 36.1744 | 127.7850
        """,
        .chungnam: """
        천안역 | Cheonan Station | 충남 천안시 동남구 대흥로 239 | 36.8098 | 127.1464
        천안아산역 | Cheonan-Asan Station | 충남 아산시 배방읍 희망로 100 | 36.7944 | 127.1045
        독립기념관 | Independence Hall of Korea | 충남 천안시 동남구 목천읍 독립기념관로 1 | 36.7836 | 127.2232
        온양온천역 | Onyang Oncheon Station | 충남 아산시 온천대로 1496 | 36.7806 | 127.0035
        현충사 | Hyeonchungsa Shrine | 충남 아산시 염치읍 현충사길 126 | 36.8081 | 127.0333
        공산성 | Gongsanseong Fortress | 충남 공주시 웅진로 280 | 36.4640 | 127.1249
        무령왕릉과 왕릉원 | Royal Tombs of King Muryeong | 충남 공주시 왕릉로 37 | 36.4609 | 127.1130 | 송산리 고분군, Songsan-ri Tombs
        국립공주박물관 | Gongju National Museum | 충남 공주시 관광단지길 34 | 36.4653 | 127.1118
        부소산성 | Busosanseong Fortress | 충남 부여군 부여읍 관북리 | 36.2870 | 126.9140
        정림사지 | Jeongnimsa Temple Site | 충남 부여군 부여읍 정림로 83 | 36.2793 | 126.9137
        궁남지 | Gungnamji Pond | 충남 부여군 부여읍 동남리 | 36.2696 | 126.9125
        국립부여박물관 | Buyeo National Museum | 충남 부여군 부여읍 금성로 5 | 36.2763 | 126.9188
        대천해수욕장 | Daecheon Beach | 충남 보령시 머드로 123 | 36.3060 | 126.5158 | 대천해변
        대천역 | Daecheon Station | 충남 보령시 대해로 116 | 36.3419 | 126.5867
        꽃지해수욕장 | Kkotji Beach | 충남 태안군 안면읍 승언리 | 36.4970 | 126.3360 | 꽃지해변
        만리포해수욕장 | Mallipo Beach | 충남 태안군 소원면 만리포2길 138 | 36.7862 | 126.1427 | 만리포해변
        천리포수목원 | Cheollipo Arboretum | 충남 태안군 소원면 천리포1길 187 | 36.7984 | 126.1499
        해미읍성 | Haemieupseong Fortress | 충남 서산시 해미면 남문2로 143 | 36.7132 | 126.5495
        서산 용현리 마애여래삼존상 | Seosan Rock-carved Buddha Triad | 충남 서산시 운산면 마애삼존불길 65-13 | 36.7735 | 126.6052 | 서산 마애삼존불
        수덕사 | Sudeoksa Temple | 충남 예산군 덕산면 수덕사안길 79 | 36.6634 | 126.6222
        """,
        .gwangju: """
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
        """,
        .jeonbuk: """
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
        """,
        .jeonnam: """
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
        """,
        .daegu: """
        동대구역 | Dongdaegu Station | 대구 동구 동대구로 550 | 35.8796 | 128.6285
        대구역 | Daegu Station | 대구 북구 태평로 161 | 35.8762 | 128.5960
        서문시장 | Seomun Market | 대구 중구 큰장로26길 45 | 35.8693 | 128.5797
        동성로 | Dongseongno Street | 대구 중구 동성로 | 35.8698 | 128.5948
        계산성당 | Gyesan Cathedral | 대구 중구 서성로 10 | 35.8679 | 128.5879
        김광석다시그리기길 | Kim Gwangseok Street | 대구 중구 달구벌대로 2238 | 35.8606 | 128.6070 | 김광석거리, 김광석길, Kim Kwang-seok Street
        달성공원 | Dalseong Park | 대구 중구 달성공원로 35 | 35.8734 | 128.5772
        이월드 | E-World | 대구 달서구 두류공원로 200 | 35.8533 | 128.5643 | 우방랜드, 우방타워, Woobang Land
        수성못 | Suseongmot Lake | 대구 수성구 용학로 35-5 | 35.8285 | 128.6160
        국립대구박물관 | Daegu National Museum | 대구 수성구 청호로 321 | 35.8456 | 128.6377
        대구미술관 | Daegu Art Museum | 대구 수성구 미술관로 40 | 35.8275 | 128.6740
        대구스타디움 | Daegu Stadium | 대구 수성구 유니버시아드로 180 | 35.8298 | 128.6890
        동촌유원지 | Dongchon Amusement Park | 대구 동구 효동로6길 73 | 35.8783 | 128.6546
        불로동 고분군 | Bullo-dong Tumuli | 대구 동구 불로동 | 35.9146 | 128.6457
        팔공산 동화사 | Donghwasa Temple | 대구 동구 동화사1길 1 | 35.9933 | 128.7043 | 동화사
        강정고령보 | Gangjeong-Goryeong Weir | 대구 달성군 다사읍 강정본길 57 | 35.8412 | 128.4650 | 디아크, The ARC
        """,
        .gyeongbuk: """
        불국사 | Bulguksa Temple | 경북 경주시 불국로 385 | 35.7900 | 129.3320
        석굴암 | Seokguram Grotto | 경북 경주시 석굴로 238 | 35.7951 | 129.3493 | Seokgulam
        첨성대 | Cheomseongdae Observatory | 경북 경주시 인왕동 839-1 | 35.8347 | 129.2190
        대릉원 | Daereungwon Tomb Complex | 경북 경주시 황남동 31-1 | 35.8384 | 129.2110 | 천마총, Cheonmachong Tomb
        동궁과 월지 | Donggung Palace and Wolji Pond | 경북 경주시 원화로 102 | 35.8347 | 129.2266 | 안압지, Anapji Pond
        월정교 | Woljeonggyo Bridge | 경북 경주시 교동 274 | 35.8293 | 129.2183
        황리단길 | Hwangnidan-gil Street | 경북 경주시 포석로 1080 | 35.8365 | 129.2097
        국립경주박물관 | Gyeongju National Museum | 경북 경주시 일정로 186 | 35.8294 | 129.2278
        보문호 | Bomun Lake | 경북 경주시 신평동 | 35.8440 | 129.2830 | 보문관광단지, Bomun Tourist Complex
        경주역 | Gyeongju Station | 경북 경주시 건천읍 경주역로 80 | 35.7984 | 129.1390 | 신경주역, Singyeongju Station
        문무대왕릉 | Underwater Tomb of King Munmu | 경북 경주시 문무대왕면 봉길리 | 35.7397 | 129.4870
        양동마을 | Yangdong Village | 경북 경주시 강동면 양동마을길 134 | 36.0010 | 129.2535
        포항역 | Pohang Station | 경북 포항시 북구 흥해읍 포항역로 1 | 36.0720 | 129.3419
        호미곶 | Homigot Cape | 경북 포항시 남구 호미곶면 해맞이로150번길 20 | 36.0767 | 129.5686
        죽도시장 | Jukdo Market | 경북 포항시 북구 죽도시장13길 13-1 | 36.0354 | 129.3657
        구룡포 일본인가옥거리 | Guryongpo Japanese House Street | 경북 포항시 남구 구룡포읍 구룡포길 153-1 | 35.9900 | 129.5590
        안동 하회마을 | Hahoe Folk Village | 경북 안동시 풍천면 하회종가길 2-1 | 36.5389 | 128.5183 | 하회마을
        병산서원 | Byeongsanseowon Academy | 경북 안동시 풍천면 병산길 386 | 36.5407 | 128.5530
        도산서원 | Dosanseowon Academy | 경북 안동시 도산면 도산서원길 154 | 36.7273 | 128.8433
        월영교 | Woryeonggyo Bridge | 경북 안동시 상아동 569 | 36.5766 | 128.7612
        부석사 | Buseoksa Temple | 경북 영주시 부석면 부석사로 345 | 36.9988 | 128.6875
        소수서원 | Sosuseowon Academy | 경북 영주시 순흥면 소백로 2740 | 36.9257 | 128.5803
        주산지 | Jusanji Pond | 경북 청송군 주왕산면 주산지리 | 36.3628 | 129.1898
        직지사 | Jikjisa Temple | 경북 김천시 대항면 직지사길 95 | 36.1168 | 128.0044
        구미역 | Gumi Station | 경북 구미시 구미중앙로 76 | 36.1284 | 128.3311
        울릉도 도동항 | Ulleungdo Dodong Port | 경북 울릉군 울릉읍 도동길 | 37.4813 | 130.9098
        독도 | Dokdo Islands | 경북 울릉군 울릉읍 독도안용복길 | 37.2412 | 131.8678
        """,
        .busan: """
        부산역 | Busan Station | 부산 동구 중앙대로 206 | 35.1152 | 129.0420
        해운대해수욕장 | Haeundae Beach | 부산 해운대구 해운대해변로 264 | 35.1587 | 129.1604 | 해운대해변
        광안리해수욕장 | Gwangalli Beach | 부산 수영구 광안해변로 219 | 35.1532 | 129.1187 | 광안리해변, Gwanganli Beach
        송정해수욕장 | Songjeong Beach | 부산 해운대구 송정해변로 62 | 35.1786 | 129.1997 | 송정해변
        송도해수욕장 | Songdo Beach | 부산 서구 송도해변로 100 | 35.0757 | 129.0171 | 송도해변
        다대포해수욕장 | Dadaepo Beach | 부산 사하구 몰운대1길 14 | 35.0467 | 128.9661 | 다대포해변
        몰운대 | Morundae | 부산 사하구 다대동 | 35.0403 | 128.9699
        청사포 | Cheongsapo Port | 부산 해운대구 청사포로128번길 | 35.1611 | 129.1916
        누리마루 APEC하우스 | Nurimaru APEC House | 부산 해운대구 동백로 116 | 35.1526 | 129.1516
        해동용궁사 | Haedong Yonggungsa Temple | 부산 기장군 기장읍 용궁길 86 | 35.1884 | 129.2233 | 용궁사
        롯데월드 어드벤처 부산 | Lotte World Adventure Busan | 부산 기장군 기장읍 동부산관광로 42 | 35.1962 | 129.2149
        오륙도 스카이워크 | Oryukdo Skywalk | 부산 남구 오륙도로 137 | 35.1006 | 129.1246
        감천문화마을 | Gamcheon Culture Village | 부산 사하구 감내2로 203 | 35.0975 | 129.0106
        자갈치시장 | Jagalchi Market | 부산 중구 자갈치해안로 52 | 35.0966 | 129.0307 | Jagalchi Fish Market
        국제시장 | Gukje Market | 부산 중구 신창동4가 | 35.1012 | 129.0282
        용두산공원 | Yongdusan Park | 부산 중구 용두산길 37-55 | 35.1006 | 129.0324
        흰여울문화마을 | Huinnyeoul Culture Village | 부산 영도구 영선동4가 | 35.0787 | 129.0450
        태종대 전망대 | Taejongdae Observatory | 부산 영도구 전망로 24 | 35.0510 | 129.0880 | Taejongdae Park
        범어사 | Beomeosa Temple | 부산 금정구 범어사로 250 | 35.2838 | 129.0686
        부산시민공원 | Busan Citizens Park | 부산 부산진구 시민공원로 73 | 35.1683 | 129.0572
        벡스코 | BEXCO | 부산 해운대구 APEC로 55 | 35.1690 | 129.1361 | 부산전시컨벤션센터, Busan Exhibition and Convention Center
        영화의전당 | Busan Cinema Center | 부산 해운대구 수영강변대로 120 | 35.1710 | 129.1273
        """,
        .ulsan: """
        울산역 | Ulsan Station | 울산 울주군 삼남읍 울산역로 177 | 35.5512 | 129.1386
        태화강역 | Taehwagang Station | 울산 남구 산업로 654 | 35.5393 | 129.3536
        태화강국가정원 | Taehwagang National Garden | 울산 중구 태화강국가정원길 154 | 35.5480 | 129.2930 | 태화강대공원, 십리대숲, Taehwagang Grand Park
        울산대공원 | Ulsan Grand Park | 울산 남구 대공원로 94 | 35.5308 | 129.2940
        장생포고래박물관 | Jangsaengpo Whale Museum | 울산 남구 장생포고래로 244 | 35.5030 | 129.3825
        문수월드컵경기장 | Munsu World Cup Stadium | 울산 남구 문수로 44 | 35.5353 | 129.2594
        대왕암공원 | Daewangam Park | 울산 동구 등대로 95 | 35.4914 | 129.4375
        일산해수욕장 | Ilsan Beach | 울산 동구 해수욕장길 | 35.4970 | 129.4300 | 일산해변
        방어진항 | Bangeojin Port | 울산 동구 방어동 | 35.4847 | 129.4297
        간절곶 | Ganjeolgot Cape | 울산 울주군 서생면 대송리 | 35.3590 | 129.3607
        진하해수욕장 | Jinha Beach | 울산 울주군 서생면 진하리 | 35.3840 | 129.3453 | 진하해변
        반구대암각화 | Bangudae Petroglyphs | 울산 울주군 언양읍 반구대안길 285 | 35.6037 | 129.1783 | 반구천 암각화, Bangucheon Petroglyphs
        천전리각석 | Cheonjeon-ri Petroglyphs | 울산 울주군 두동면 천전각석길 276 | 35.6145 | 129.1773 | 천전리 암각화
        석남사 | Seongnamsa Temple | 울산 울주군 상북면 석남로 557 | 35.6174 | 129.0385
        """,
        .gyeongnam: """
        통영 동피랑마을 | Dongpirang Village | 경남 통영시 동피랑1길 6-18 | 34.8456 | 128.4253 | 동피랑벽화마을
        통영중앙시장 | Tongyeong Jungang Market | 경남 통영시 중앙시장1길 14-16 | 34.8450 | 128.4243
        통영케이블카 | Tongyeong Cable Car | 경남 통영시 발개로 205 | 34.8267 | 128.4253 | 한려수도 조망케이블카, 미륵산 케이블카
        거제 바람의언덕 | Hill of Wind | 경남 거제시 남부면 갈곶리 | 34.7439 | 128.6629
        거제 학동몽돌해변 | Hakdong Pebble Beach | 경남 거제시 동부면 학동리 | 34.7724 | 128.6403 | 학동흑진주몽돌해변
        외도 보타니아 | Oedo Botania | 경남 거제시 일운면 외도길 17 | 34.7696 | 128.7129 | 외도해상농원
        거제포로수용소유적공원 | Geoje POW Camp Park | 경남 거제시 계룡로 61 | 34.8762 | 128.6243
        남해 독일마을 | Namhae German Village | 경남 남해군 삼동면 독일로 89-7 | 34.7992 | 128.0402
        보리암 | Boriam Hermitage | 경남 남해군 상주면 보리암로 665 | 34.7530 | 127.9828 | 금산 보리암
        가천 다랭이마을 | Gacheon Darangi Village | 경남 남해군 남면 남면로679번길 21 | 34.7272 | 127.8942
        상주은모래비치 | Sangju Silver Sand Beach | 경남 남해군 상주면 상주로 10-3 | 34.7226 | 127.9878 | 상주해수욕장
        사천바다케이블카 | Sacheon Sea Cable Car | 경남 사천시 사천대로 18 | 34.9337 | 128.0532
        진주성 | Jinjuseong Fortress | 경남 진주시 본성동 | 35.1890 | 128.0785
        촉석루 | Chokseongnu Pavilion | 경남 진주시 남강로 626 | 35.1894 | 128.0818
        진주역 | Jinju Station | 경남 진주시 진주역길 130 | 35.1507 | 128.1182
        진해 경화역공원 | Gyeonghwa Station Park | 경남 창원시 진해구 진해대로 649 | 35.1542 | 128.6880 | 경화역
        마산어시장 | Masan Fish Market | 경남 창원시 마산합포구 복요리로 7 | 35.2055 | 128.5765
        수로왕릉 | Tomb of King Suro | 경남 김해시 가락로93번길 26 | 35.2351 | 128.8786
        통도사 | Tongdosa Temple | 경남 양산시 하북면 통도사로 108 | 35.4877 | 129.0640
        밀양역 | Miryang Station | 경남 밀양시 중앙로 62 | 35.4747 | 128.7711
        밀양 영남루 | Yeongnamnu Pavilion | 경남 밀양시 중앙로 324 | 35.4915 | 128.7550
        해인사 | Haeinsa Temple | 경남 합천군 가야면 해인사길 122 | 35.8015 | 128.0981
        우포출렁다리 | Upo Suspension Bridge | 경남 창녕군 이방면 | 35.5392 | 128.4015
        화개장터 | Hwagae Market | 경남 하동군 화개면 쌍계로 15 | 35.1878 | 127.6243
        쌍계사 | Ssanggyesa Temple | 경남 하동군 화개면 쌍계사길 59 | 35.2336 | 127.6488
        지리산 천왕봉 | Jirisan Cheonwangbong Peak | 경남 산청군 시천면 중산리 | 35.3371 | 127.7306 | 지리산, Jirisan Mountain
        """,
        .jeju: """
        제주국제공항 | Jeju International Airport | 제주 제주시 공항로 2 | 33.5066 | 126.4931 | 제주공항, Jeju Airport, CJU
        제주동문시장 | Jeju Dongmun Market | 제주 제주시 관덕로14길 20 | 33.5118 | 126.5268 | 동문시장, Dongmun Market
        제주목 관아 | Jeju Mok Government Office | 제주 제주시 관덕로 25 | 33.5135 | 126.5214
        용두암 | Yongduam Rock | 제주 제주시 용담2동 | 33.5162 | 126.5119
        이호테우해변 | Iho Tewoo Beach | 제주 제주시 이호일동 | 33.4980 | 126.4531 | 이호해수욕장
        곽지해수욕장 | Gwakji Beach | 제주 제주시 애월읍 곽지리 | 33.4508 | 126.3052 | 곽지해변
        한담해안산책로 | Handam Coastal Walk | 제주 제주시 애월읍 애월리 | 33.4592 | 126.3106
        협재해수욕장 | Hyeopjae Beach | 제주 제주시 한림읍 협재리 | 33.3940 | 126.2395 | 협재해변
        비양도 | Biyangdo Island | 제주 제주시 한림읍 협재리 | 33.4081 | 126.2275
        수월봉 | Suwolbong Peak | 제주 제주시 한경면 고산리 | 33.2948 | 126.1634
        새별오름 | Saebyeol Oreum | 제주 제주시 애월읍 봉성리 | 33.3661 | 126.3572
        함덕해수욕장 | Hamdeok Beach | 제주 제주시 조천읍 조함해안로 525 | 33.5432 | 126.6693 | 함덕해변, 함덕서우봉해변
        김녕해수욕장 | Gimnyeong Beach | 제주 제주시 구좌읍 구좌해안로 237 | 33.5578 | 126.7593 | 김녕해변, 김녕성세기해변
        월정리해변 | Woljeong-ri Beach | 제주 제주시 구좌읍 월정리 | 33.5561 | 126.7960 | 월정리해수욕장
        만장굴 | Manjanggul Lava Tube | 제주 제주시 구좌읍 만장굴길 182 | 33.5284 | 126.7715
        우도 | Udo Island | 제주 제주시 우도면 | 33.5040 | 126.9530
        성산일출봉 | Seongsan Ilchulbong Peak | 제주 서귀포시 성산읍 일출로 284-12 | 33.4583 | 126.9423 | Sunrise Peak
        광치기해변 | Gwangchigi Beach | 제주 서귀포시 성산읍 고성리 | 33.4523 | 126.9245
        섭지코지 | Seopjikoji | 제주 서귀포시 성산읍 섭지코지로 107 | 33.4240 | 126.9310
        한라산 백록담 | Hallasan Baengnokdam | 제주 서귀포시 토평동 | 33.3617 | 126.5330 | Mount Halla, Hallasan Mountain
        한라산 성판악 | Hallasan Seongpanak Trail | 제주 제주시 조천읍 516로 1865 | 33.3848 | 126.6199
        한라산 어리목 | Hallasan Eorimok Trail | 제주 제주시 1100로 2070-61 | 33.3926 | 126.4950
        쇠소깍 | Soesokkak Estuary | 제주 서귀포시 쇠소깍로 104 | 33.2525 | 126.6235
        정방폭포 | Jeongbang Waterfall | 제주 서귀포시 칠십리로214번길 37 | 33.2449 | 126.5718 | Jeongbang Falls
        천지연폭포 | Cheonjiyeon Waterfall | 제주 서귀포시 천지동 | 33.2461 | 126.5560 | Cheonjiyeon Falls
        서귀포매일올레시장 | Seogwipo Maeil Olle Market | 제주 서귀포시 중앙로62번길 18 | 33.2502 | 126.5636 | 올레시장
        외돌개 | Oedolgae Rock | 제주 서귀포시 서홍동 | 33.2399 | 126.5453
        주상절리대 | Jusangjeolli Cliff | 제주 서귀포시 이어도로 36-30 | 33.2379 | 126.4255 | 대포주상절리, 중문대포주상절리대
        중문색달해수욕장 | Jungmun Saekdal Beach | 제주 서귀포시 중문관광로72번길 29-51 | 33.2449 | 126.4116 | 중문해수욕장, 중문해변
        산방산 | Sanbangsan Mountain | 제주 서귀포시 안덕면 사계리 | 33.2400 | 126.3130
        용머리해안 | Yongmeori Coast | 제주 서귀포시 안덕면 사계리 | 33.2320 | 126.3147
        오설록 티뮤지엄 | Osulloc Tea Museum | 제주 서귀포시 안덕면 신화역사로 15 | 33.3059 | 126.2895
        마라도 | Marado Island | 제주 서귀포시 대정읍 마라리 | 33.1180 | 126.2677
        """,
    ]
}
