"""Towns and names for the maps of trips, which `pack-map-features.py` packs: what Natural Earth does not have.

Positions of towns are known to about two kilometres, those of quarters to one; each is in its province, and the towns that
GeoNames has (geonames.org) were compared with it. Korean names of places abroad follow the rules for loanwords of the
National Institute of Korean Language.
"""

# The towns of South Korea that Natural Earth lacks, by the code of their province in the census: the seats of all cities
# and counties, and small towns and quarters that travellers know.
# Korean, English, latitude, longitude, and a rank like `rank_max` of Natural Earth, by the number of inhabitants:
# 12 from a million, 11 from 500,000, 10 from 200,000, 9 from 100,000, 8 from 50,000, 7 from 20,000; quarters have 4 and 3.
KOREAN_TOWNS = {
    "11": """
        종로 Jongno 37.570 126.985 4, 명동 Myeongdong 37.563 126.984 3, 이태원 Itaewon 37.534 126.994 3
        강남 Gangnam 37.498 127.028 4, 잠실 Jamsil 37.513 127.100 4, 여의도 Yeouido 37.522 126.925 4
        홍대 Hongdae 37.556 126.924 4, 성수 Seongsu 37.544 127.056 3, 청량리 Cheongnyangni 37.580 127.047 3
        노원 Nowon 37.655 127.061 4, 수유 Suyu 37.638 127.025 3, 연신내 Yeonsinnae 37.619 126.921 3
        목동 Mokdong 37.526 126.865 3, 마곡 Magok 37.567 126.825 3, 신림 Sillim 37.484 126.930 3
        사당 Sadang 37.477 126.982 3, 천호 Cheonho 37.538 127.124 3""",
    "21": """
        기장 Gijang 35.244 129.214 8, 해운대 Haeundae 35.163 129.163 4, 서면 Seomyeon 35.158 129.059 4
        남포동 Nampodong 35.098 129.029 3, 동래 Dongnae 35.205 129.078 3, 광안리 Gwangalli 35.153 129.113 3""",
    "22": "군위 Gunwi 36.243 128.573 6",
    "23": "강화 Ganghwa 37.747 126.486 7, 송도 Songdo 37.386 126.640 4, 부평 Bupyeong 37.490 126.724 4",
    "25": "유성 Yuseong 36.354 127.341 4, 둔산 Dunsan 36.351 127.380 3",
    "26": "언양 Eonyang 35.566 129.122 7",
    "29": "세종 Sejong 36.480 127.289 10, 조치원 Jochiwon 36.601 127.297 8",
    "31": """
        용인 Yongin 37.241 127.178 12, 화성 Hwaseong 37.200 126.832 11, 남양주 Namyangju 37.636 127.217 11
        안양 Anyang 37.394 126.957 11, 평택 Pyeongtaek 36.992 127.113 11, 시흥 Siheung 37.380 126.803 11
        의정부 Uijeongbu 37.738 127.034 10, 파주 Paju 37.760 126.780 10, 김포 Gimpo 37.615 126.716 10
        광명 Gwangmyeong 37.479 126.865 10, 광주 Gwangju 37.418 127.257 10, 군포 Gunpo 37.361 126.935 10
        오산 Osan 37.150 127.077 10, 이천 Icheon 37.272 127.435 10, 양주 Yangju 37.785 127.046 10
        하남 Hanam 37.540 127.215 10, 안성 Anseong 37.008 127.280 9, 구리 Guri 37.594 127.130 9
        포천 Pocheon 37.895 127.200 9, 의왕 Uiwang 37.345 126.968 9, 여주 Yeoju 37.298 127.637 9
        양평 Yangpyeong 37.491 127.488 9, 동두천 Dongducheon 37.904 127.060 8, 과천 Gwacheon 37.429 126.988 8
        가평 Gapyeong 37.831 127.510 8, 연천 Yeoncheon 38.096 127.075 7""",
    "32": """
        동해 Donghae 37.525 129.114 8, 삼척 Samcheok 37.450 129.165 8, 태백 Taebaek 37.164 128.986 7
        홍천 Hongcheon 37.697 127.889 8, 횡성 Hoengseong 37.491 127.985 7, 영월 Yeongwol 37.184 128.462 7
        평창 Pyeongchang 37.371 128.390 6, 정선 Jeongseon 37.381 128.661 6, 철원 Cheorwon 38.147 127.313 7
        화천 Hwacheon 38.106 127.708 6, 양구 Yanggu 38.106 127.990 6, 인제 Inje 38.070 128.170 6
        고성 Goseong 38.380 128.468 6, 양양 Yangyang 38.075 128.619 6, 주문진 Jumunjin 37.891 128.826 6
        대관령 Daegwallyeong 37.680 128.705 5, 진부 Jinbu 37.635 128.560 5""",
    "33": """
        충주 Chungju 36.980 127.928 10, 제천 Jecheon 37.133 128.200 9, 진천 Jincheon 36.855 127.438 8
        보은 Boeun 36.489 127.729 7, 옥천 Okcheon 36.304 127.570 7, 영동 Yeongdong 36.175 127.778 7
        증평 Jeungpyeong 36.785 127.582 7, 괴산 Goesan 36.813 127.790 7, 단양 Danyang 36.984 128.367 6""",
    "34": """
        천안 Cheonan 36.810 127.148 11, 아산 Asan 36.785 127.004 10, 공주 Gongju 36.456 127.122 9
        보령 Boryeong 36.340 126.605 9, 서산 Seosan 36.784 126.451 9, 논산 Nonsan 36.200 127.088 9
        당진 Dangjin 36.892 126.638 9, 홍성 Hongseong 36.601 126.663 8, 예산 Yesan 36.680 126.844 8
        태안 Taean 36.746 126.298 8, 계룡 Gyeryong 36.275 127.249 7, 금산 Geumsan 36.106 127.488 7
        부여 Buyeo 36.276 126.910 7, 서천 Seocheon 36.080 126.691 7, 청양 Cheongyang 36.455 126.803 6""",
    "35": """
        정읍 Jeongeup 35.570 126.856 9, 남원 Namwon 35.412 127.388 8, 김제 Gimje 35.803 126.884 8
        고창 Gochang 35.435 126.702 7, 부안 Buan 35.731 126.732 7, 진안 Jinan 35.792 127.425 6
        무주 Muju 36.007 127.661 6, 장수 Jangsu 35.647 127.518 6, 임실 Imsil 35.615 127.284 6
        순창 Sunchang 35.374 127.137 6""",
    "36": """
        순천 Suncheon 34.950 127.487 10, 광양 Gwangyang 34.941 127.696 9, 나주 Naju 35.025 126.716 9
        무안 Muan 34.990 126.480 8, 담양 Damyang 35.320 126.987 7, 고흥 Goheung 34.611 127.285 7
        화순 Hwasun 35.063 126.986 7, 해남 Haenam 34.572 126.599 7, 영암 Yeongam 34.800 126.697 7
        영광 Yeonggwang 35.277 126.512 7, 장성 Jangseong 35.300 126.785 7, 완도 Wando 34.315 126.755 7
        곡성 Gokseong 35.282 127.292 6, 구례 Gurye 35.206 127.463 6, 보성 Boseong 34.771 127.080 6
        장흥 Jangheung 34.682 126.907 6, 강진 Gangjin 34.642 126.767 6, 함평 Hampyeong 35.066 126.517 6
        진도 Jindo 34.487 126.263 6, 벌교 Beolgyo 34.849 127.341 6""",
    "37": """
        구미 Gumi 36.120 128.344 10, 경산 Gyeongsan 35.824 128.740 10, 김천 Gimcheon 36.130 128.116 9
        영주 Yeongju 36.814 128.627 9, 영천 Yeongcheon 35.970 128.936 9, 상주 Sangju 36.413 128.160 9
        문경 Mungyeong 36.590 128.193 8, 왜관 Waegwan 35.993 128.398 8, 의성 Uiseong 36.353 128.697 7
        영덕 Yeongdeok 36.415 129.367 7, 청도 Cheongdo 35.647 128.734 7, 고령 Goryeong 35.726 128.263 7
        성주 Seongju 35.919 128.283 7, 예천 Yecheon 36.657 128.454 7, 울진 Uljin 36.993 129.400 7
        청송 Cheongsong 36.435 129.057 6, 영양 Yeongyang 36.667 129.112 6, 봉화 Bonghwa 36.893 128.732 6
        울릉 Ulleung 37.484 130.903 5""",
    "38": """
        김해 Gimhae 35.231 128.885 11, 진주 Jinju 35.187 128.090 10, 거제 Geoje 34.882 128.624 10
        양산 Yangsan 35.338 129.036 10, 통영 Tongyeong 34.851 128.431 9, 사천 Sacheon 35.004 128.064 9
        밀양 Miryang 35.498 128.748 9, 함안 Haman 35.272 128.406 7, 창녕 Changnyeong 35.543 128.493 7
        고성 Goseong 34.975 128.323 7, 남해 Namhae 34.838 127.893 7, 하동 Hadong 35.068 127.751 7
        거창 Geochang 35.687 127.910 7, 의령 Uiryeong 35.322 128.262 6, 산청 Sancheong 35.416 127.873 6
        함양 Hamyang 35.520 127.725 6, 합천 Hapcheon 35.567 128.166 6""",
    "39": """
        서귀포 Seogwipo 33.253 126.561 9, 한림 Hallim 33.410 126.266 6, 애월 Aewol 33.463 126.312 6
        성산 Seongsan 33.452 126.915 6, 조천 Jocheon 33.536 126.640 6, 구좌 Gujwa 33.524 126.856 6
        대정 Daejeong 33.226 126.252 6, 표선 Pyoseon 33.327 126.832 6, 중문 Jungmun 33.254 126.424 5
        남원 Namwon 33.280 126.718 6""",
}

# What Natural Earth spells otherwise than most people today, by its name and the code of the country.
ENGLISH = {
    ("Songnam", "KOR"): "Seongnam", ("Puch'on", "KOR"): "Bucheon", ("Ōsaka", "JPN"): "Osaka", ("Kōbe", "JPN"): "Kobe",
    ("Ōita", "JPN"): "Oita", ("Ōtsu", "JPN"): "Otsu", ("Kōchi", "JPN"): "Kochi", ("Kōfu", "JPN"): "Kofu",
    ("Kitakyūshū", "JPN"): "Kitakyushu", ("København", "DNK"): "Copenhagen", ("Tel Aviv-Yafo", "ISR"): "Tel Aviv",
    ("Kiev", "UKR"): "Kyiv", ("Rangoon", "MMR"): "Yangon", ("Xian", "CHN"): "Xi’an", ("Shenyeng", "CHN"): "Shenyang",
    ("Shijianzhuang", "CHN"): "Shijiazhuang", ("Pizen", "CZE"): "Plzeň", ("Makkah", "SAU"): "Mecca",
    ("Ujungpandang", "IDN"): "Makassar", ("Agana", "GUM"): "Hagåtña", ("Montréal", "CAN"): "Montreal",
    ("Hue", "VNM"): "Huế", ("Banghazi", "LBY"): "Benghazi", ("Bogota", "COL"): "Bogotá",
}

# The Korean names of towns, by the name of Natural Earth. Where several have a name, the code of the country follows it.
KOREAN = """
    Seoul 서울, Busan 부산, Incheon 인천, Daegu 대구, Daejeon 대전, Gwangju/KOR 광주, Changwon 창원, Suwon 수원, Ulsan 울산
    Songnam 성남, Goyang 고양, Puch'on 부천, Cheongju 청주, Ansan 안산, Jeonju 전주, Pohang 포항, Jeju 제주, Yeosu 여수, Iksan 익산
    Mokpo 목포, Gunsan 군산, Wonju 원주, Chuncheon 춘천, Gangneung 강릉, Gyeongju 경주, Andong 안동, Sokcho 속초, Eumseong 음성
    Pyongyang 평양, Nampo 남포, Kaesong 개성, Hamhung 함흥, Chongjin 청진, Wonsan 원산, Sinuiju 신의주, Haeju 해주, Hyeson 혜산
    Kanggye 강계, Sariwon 사리원, Hungnam 흥남, Kimchaek 김책, Sunchon 순천
    Tokyo 도쿄, Ōsaka 오사카, Kyoto 교토, Nagoya 나고야, Fukuoka 후쿠오카, Sapporo 삿포로, Yokohama 요코하마, Kōbe 고베, Hiroshima 히로시마
    Sendai 센다이, Naha 나하, Kagoshima 가고시마, Nagasaki 나가사키, Kumamoto 구마모토, Ōita 오이타, Miyazaki 미야자키, Kawasaki 가와사키
    Kitakyūshū 기타큐슈, Shimonoseki 시모노세키, Matsuyama 마쓰야마, Takamatsu 다카마쓰, Tokushima 도쿠시마, Kōchi 고치, Okayama/JPN 오카야마
    Tottori 돗토리, Matsue 마쓰에, Kanazawa 가나자와, Toyama 도야마, Nagano 나가노, Matsumoto 마쓰모토, Niigata 니가타, Shizuoka 시즈오카
    Hamamatsu 하마마쓰, Gifu 기후, Fukui 후쿠이, Otaru 오타루, Hakodate 하코다테, Asahikawa 아사히카와, Kushiro 구시로, Obihiro 오비히로
    Aomori 아오모리, Akita 아키타, Morioka 모리오카, Yamagata 야마가타, Fukushima 후쿠시마, Utsunomiya 우쓰노미야, Wakayama 와카야마
    Sasebo 사세보, Ōtsu 오쓰, Mito 미토, Maebashi 마에바시, Kōfu 고후, Tsu 쓰, Hachiōji 하치오지, Kitami 기타미, Tomakomai 도마코마이
    Taipei 타이베이, Kaohsiung 가오슝, Taichung 타이중, Tainan 타이난, Hualien 화롄, Taitung 타이둥, Keelung 지룽, Hsinchu 신주, Chiayi 자이
    Hong~Kong 홍콩, Macau 마카오, Beijing 베이징, Shanghai 상하이, Guangzhou 광저우, Shenzhen 선전, Chengdu 청두, Chongqing 충칭, Xian 시안
    Tianjin 톈진, Wuhan 우한, Nanjing 난징, Hangzhou 항저우, Qingdao 칭다오, Dalian 다롄, Shenyeng 선양, Harbin 하얼빈, Changchun 창춘
    Jinan 지난, Kunming 쿤밍, Guilin 구이린, Lhasa 라싸, Ürümqi 우루무치, Xiamen 샤먼, Changsha 창사, Zhengzhou 정저우, Yantai 옌타이
    Lanzhou 란저우, Guiyang 구이양, Nanning 난닝, Fuzhou/CHN 푸저우, Hefei 허페이, Nanchang 난창, Taiyuan 타이위안, Hohhot 후허하오터
    Dandong 단둥, Yanji 옌지, Weihai 웨이하이, Sanya 싼야, Haikou 하이커우, Suzhou 쑤저우, Wuxi 우시, Ningbo 닝보, Luoyang 뤄양, Xining 시닝
    Ulaanbaatar 울란바토르, Vladivostok 블라디보스토크, Khabarovsk 하바롭스크, Irkutsk 이르쿠츠크, Moscow/RUS 모스크바
    St.~Petersburg/RUS 상트페테르부르크, Novosibirsk 노보시비르스크, Yakutsk 야쿠츠크, Kazan 카잔, Sochi 소치, Yuzhno~Sakhalinsk 유즈노사할린스크
    Hanoi 하노이, Ho~Chi~Minh~City 호찌민, Da~Nang 다낭, Hue/VNM 후에, Nha~Trang 나트랑, Da~Lat 달랏, Haiphong 하이퐁, Vung~Tau 붕따우
    Bangkok 방콕, Chiang~Mai 치앙마이, Chiang~Rai 치앙라이, Phuket 푸껫, Krabi 끄라비, Ayutthaya 아유타야, Hua~Hin 후아힌
    Vientiane 비엔티안, Louangphrabang 루앙프라방, Phnom~Penh 프놈펜, Siem~Reap 시엠레아프, Rangoon 양곤, Mandalay 만달레이
    Kuala~Lumpur 쿠알라룸푸르, Kota~Kinabalu 코타키나발루, George~Town/MYS 조지타운, Singapore 싱가포르, Jakarta 자카르타, Denpasar 덴파사르
    Yogyakarta 욕야카르타, Surabaya 수라바야, Bandung 반둥, Medan 메단, Manila 마닐라, Cebu 세부, Davao 다바오, Baguio~City 바기오
    Puerto~Princesa 푸에르토프린세사, Agana 하갓냐, Koror 코로르
    Delhi 델리, New~Delhi 뉴델리, Mumbai 뭄바이, Kolkata 콜카타, Chennai 첸나이, Bangalore 벵갈루루, Jaipur 자이푸르, Agra 아그라, Varanasi 바라나시
    Hyderabad/IND 하이데라바드, Ahmedabad 아마다바드, Kathmandu 카트만두, Pokhara 포카라, Thimphu 팀푸, Dhaka 다카, Colombo 콜롬보, Kandy 캔디
    Islamabad 이슬라마바드, Karachi 카라치, Lahore 라호르, Kabul 카불, Tashkent 타슈켄트, Samarqand 사마르칸트, Almaty 알마티
    Astana 아스타나, Bishkek 비슈케크, Dushanbe 두샨베, Ashgabat 아시가바트, Tbilisi 트빌리시, Yerevan 예레반, Baku 바쿠
    Tehran 테헤란, Isfahan 이스파한, Baghdad 바그다드, Damascus 다마스쿠스, Beirut 베이루트, Amman 암만, Jerusalem 예루살렘
    Tel~Aviv-Yafo 텔아비브, Riyadh 리야드, Jeddah 제다, Makkah 메카, Doha 도하, Dubai 두바이, Abu~Dhabi 아부다비, Muscat 무스카트, Kuwait 쿠웨이트
    Istanbul 이스탄불, Ankara 앙카라, İzmir 이즈미르, Antalya 안탈리아, Trabzon 트라브존, Konya 코니아, Nicosia 니코시아
    London/GBR 런던, Manchester/GBR 맨체스터, Liverpool/GBR 리버풀, Birmingham/GBR 버밍엄, Edinburgh 에든버러, Glasgow/GBR 글래스고
    Belfast/GBR 벨파스트, Cardiff/GBR 카디프, Oxford/GBR 옥스퍼드, Cambridge/GBR 케임브리지, York/GBR 요크, Bristol/GBR 브리스틀, Leeds 리즈
    Brighton/GBR 브라이턴, Nottingham 노팅엄, Sheffield 셰필드, Newcastle/GBR 뉴캐슬, Plymouth/GBR 플리머스, Inverness 인버네스, Galway 골웨이
    Duisburg 뒤스부르크, Essen 에센, Dortmund 도르트문트, Saarbrücken 자르브뤼켄, Mainz 마인츠, Koblenz 코블렌츠, Erfurt 에르푸르트, Kassel 카셀
    Magdeburg 마그데부르크, Liège 리에주, Namur 나뮈르, Maastricht 마스트리흐트, Groningen 흐로닝언, Biel 빌, Schaffhausen 샤프하우젠
    Zug 추크, Schwyz 슈비츠, Bellinzona 벨린초나, Solothurn 졸로투른, Aosta 아오스타, Besançon 브장송, Mulhouse 뮐루즈, Metz 메스, Nancy 낭시
    Orléans 오를레앙, Tours 투르, Caen 캉, Brest/FRA 브레스트, Le~Havre 르아브르, Limoges 리모주, Clermont-Ferrand 클레르몽페랑
    Perpignan 페르피냥, Ancona 안코나, Pescara 페스카라, Lecce 레체, Messina 메시나, Siracusa 시라쿠사, Ravenna 라벤나, Parma 파르마
    Modena 모데나, Katowice 카토비체, Lublin 루블린, Łódź 우치, Olomouc 올로모우츠, Ostrava 오스트라바, Szeged 세게드, Pécs 페치, Debrecen 데브레첸
    Maribor 마리보르, Århus 오르후스, Odense 오덴세, Turku 투르쿠, Tampere 탐페레, Oulu 오울루, Uppsala 웁살라, Stavanger 스타방에르
    Dublin/IRL 더블린, Cork 코크, Paris/FRA 파리, Lyon 리옹, Marseille 마르세유, Nice 니스, Bordeaux 보르도, Toulouse 툴루즈, Strasbourg 스트라스부르
    Lille 릴, Nantes 낭트, Dijon 디종, Grenoble 그르노블, Annecy 안시, Montpellier 몽펠리에, Rennes 렌, Reims 랭스, Rouen 루앙
    Brussels 브뤼셀, Antwerpen 안트베르펜, Brugge 브뤼허, Gent 헨트, Amsterdam/NLD 암스테르담, Rotterdam/NLD 로테르담, The~Hague 헤이그
    Utrecht 위트레흐트, Luxembourg 룩셈부르크, Berlin/DEU 베를린, Munich 뮌헨, Hamburg 함부르크, Frankfurt/DEU 프랑크푸르트, Cologne 쾰른
    Stuttgart 슈투트가르트, Düsseldorf 뒤셀도르프, Dresden 드레스덴, Leipzig 라이프치히, Hannover/DEU 하노버, Nürnberg 뉘른베르크, Bremen 브레멘
    Heidelberg 하이델베르크, Freiburg 프라이부르크, Würzburg 뷔르츠부르크, Bonn 본, Augsburg 아우크스부르크, Mannheim 만하임, Karlsruhe 카를스루에
    Regensburg 레겐스부르크, Rostock 로스토크, Kiel 킬, Lübeck 뤼베크, Ulm 울름, Potsdam 포츠담
    Zürich 취리히, Geneva/CHE 제네바, Bern 베른, Basel 바젤, Luzern 루체른, Lausanne 로잔, Lugano 루가노, Saint~Gallen 장크트갈렌, Chur 쿠어
    Sion 시옹, Neuchâtel 뇌샤텔, Fribourg 프리부르, Vaduz 파두츠, Vienna/AUT 빈, Salzburg 잘츠부르크, Innsbruck 인스브루크, Graz 그라츠, Linz 린츠
    Klagenfurt 클라겐푸르트, Bregenz 브레겐츠, Rome/ITA 로마, Milan/ITA 밀라노, Venice/ITA 베네치아, Florence/ITA 피렌체, Naples/ITA 나폴리
    Turin 토리노, Genoa 제노바, Bologna 볼로냐, Verona 베로나, Pisa 피사, Palermo 팔레르모, Catania 카타니아, Bari 바리, Trieste 트리에스테
    Como 코모, Trento 트렌토, Bergamo 베르가모, Perugia 페루자, Cagliari 칼리아리, Vatican~City 바티칸, Monaco 모나코, San~Marino 산마리노
    Madrid/ESP 마드리드, Barcelona/ESP 바르셀로나, Seville 세비야, Valencia/ESP 발렌시아, Granada/ESP 그라나다, Málaga 말라가, Bilbao 빌바오
    Córdoba/ESP 코르도바, Zaragoza 사라고사, Toledo/ESP 톨레도, San~Sebastián 산세바스티안, Pamplona 팜플로나, Salamanca/ESP 살라망카
    Palma 팔마, Burgos 부르고스, León/ESP 레온, Andorra 안도라, Lisbon 리스본, Porto 포르투, Coimbra 코임브라, Funchal 푼샬
    Prague 프라하, Brno 브르노, Pizen 플젠, Bratislava 브라티슬라바, Budapest 부다페스트, Warsaw/POL 바르샤바, Kraków 크라쿠프, Gdańsk 그단스크
    Wrocław 브로츠와프, Poznań 포즈난, Ljubljana 류블랴나, Zagreb 자그레브, Split 스플리트, Dubrovnik 두브로브니크, Rijeka 리예카
    Zadar 자다르, Sarajevo 사라예보, Mostar 모스타르, Belgrade 베오그라드, Podgorica 포드고리차, Tirana 티라나, Skopje 스코페, Sofia 소피아
    Bucharest 부쿠레슈티, Athens/GRC 아테네, Thessaloniki 테살로니키, Iraklio 이라클리오, Kiev 키이우, Lvov 르비우, Odessa/UKR 오데사
    Minsk 민스크, Vilnius 빌뉴스, Riga 리가, Tallinn 탈린, Helsinki 헬싱키, Rovaniemi 로바니에미, Stockholm 스톡홀름
    Göteborg 예테보리, Malmö 말뫼, Oslo 오슬로, Bergen/NOR 베르겐, Trondheim 트론헤임, Tromsø 트롬쇠, København 코펜하겐, Reykjavík 레이캬비크
    Valletta 발레타, Cairo/EGY 카이로, Alexandria/EGY 알렉산드리아, Luxor 룩소르, Aswan 아스완, Casablanca 카사블랑카, Marrakesh 마라케시
    Fez 페스, Rabat 라바트, Tunis 튀니스, Algiers 알제, Tripoli/LBY 트리폴리, Khartoum 하르툼, Addis~Ababa 아디스아바바, Nairobi 나이로비
    Kampala 캄팔라, Dar~es~Salaam 다르에스살람, Zanzibar 잔지바르, Kigali 키갈리, Johannesburg 요하네스버그, Cape~Town 케이프타운
    Pretoria 프리토리아, Durban 더반, Windhoek 빈트후크, Harare 하라레, Lusaka 루사카, Livingstone 리빙스턴, Antananarivo 안타나나리보
    Lagos/NGA 라고스, Accra 아크라, Dakar 다카르, Abidjan 아비장, Kinshasa 킨샤사, Luanda 루안다
    New~York 뉴욕, Los~Angeles/USA 로스앤젤레스, San~Francisco/USA 샌프란시스코, Chicago 시카고, Boston/USA 보스턴, Washington,~D.C. 워싱턴
    Seattle 시애틀, Las~Vegas/USA 라스베이거스, Miami 마이애미, Houston 휴스턴, Dallas 댈러스, Atlanta 애틀랜타, Philadelphia 필라델피아
    San~Diego 샌디에이고, Denver 덴버, Phoenix 피닉스, Orlando 올랜도, New~Orleans 뉴올리언스, Detroit 디트로이트, Portland/USA 포틀랜드
    Salt~Lake~City 솔트레이크시티, Honolulu 호놀룰루, Anchorage 앵커리지, Austin/USA 오스틴, San~Antonio/USA 샌안토니오, Minneapolis 미니애폴리스
    Vancouver/CAN 밴쿠버, Toronto/CAN 토론토, Montréal 몬트리올, Ottawa/CAN 오타와, Calgary 캘거리, Edmonton 에드먼턴, Québec 퀘벡, Halifax/CAN 핼리팩스
    Victoria/CAN 빅토리아, Mexico~City 멕시코시티, Guadalajara/MEX 과달라하라, Cancún 칸쿤, Havana 아바나, Guatemala 과테말라, San~José/CRI 산호세
    Panama~City/PAN 파나마시티, Bogota 보고타, Medellín 메데인, Caracas 카라카스, Quito 키토, Lima/PER 리마, Cusco 쿠스코, La~Paz/BOL 라파스
    Santiago/CHL 산티아고, Buenos~Aires 부에노스아이레스, Ushuaia 우수아이아, Montevideo 몬테비데오, Asunción 아순시온, São~Paulo 상파울루
    Rio~de~Janeiro 리우데자네이루, Brasília 브라질리아, Salvador 사우바도르, Manaus 마나우스, Foz~do~Iguaçu 포스두이구아수
    Sydney/AUS 시드니, Melbourne/AUS 멜버른, Brisbane 브리즈번, Perth/AUS 퍼스, Adelaide/AUS 애들레이드, Canberra 캔버라, Cairns 케언스
    Darwin/AUS 다윈, Hobart/AUS 호바트, Gold~Coast 골드코스트, Alice~Springs 앨리스스프링스, Auckland 오클랜드, Wellington/NZL 웰링턴
    Christchurch 크라이스트처치, Queenstown/NZL 퀸스타운, Dunedin 더니든, Rotorua 로토루아, Suva 수바, Nuuk 누크
"""

# The Han in Seoul from east to west, in the middle of its bridges: longitude and latitude to about 300 metres. The line of
# Natural Earth is up to two kilometres off, and has stops on the wrong side.
HAN = [
    (127.158, 37.5765), (127.1365, 37.5665), (127.1105, 37.5450), (127.1037, 37.5353), (127.0955, 37.5300),
    (127.0917, 37.5249), (127.0780, 37.5225), (127.0649, 37.5265), (127.0571, 37.5312), (127.0348, 37.5375),
    (127.0203, 37.5370), (127.0135, 37.5276), (126.9966, 37.5156), (126.9817, 37.5098), (126.9700, 37.5112),
    (126.9589, 37.5176), (126.9410, 37.5246), (126.9362, 37.5335), (126.9258, 37.5383), (126.9031, 37.5430),
    (126.8914, 37.5513), (126.8623, 37.5700), (126.8280, 37.5890), (126.8140, 37.5960),
]

# Rivers and lakes: English and Korean by the name of Natural Earth; an empty one for none.
RIVERS = {
    "Han": ("Han", "한강"), "Namhan": ("Namhan", "남한강"), "Nakdong": ("Nakdong", "낙동강"), "Rhein": ("Rhine", "라인강"),
    "Rhin": ("Rhine", "라인강"), "Rhine": ("Rhine", "라인강"), "Donau": ("Danube", "다뉴브강"), "Danube": ("Danube", "다뉴브강"),
    "Rhône": ("Rhône", "론강"), "Seine": ("Seine", "센강"), "Loire": ("Loire", "루아르강"), "Garonne": ("Garonne", "가론강"),
    "Elbe": ("Elbe", "엘베강"), "Oder": ("Oder", "오데르강"), "Vistula": ("Vistula", "비스와강"), "Po": ("Po", "포강"),
    "Thames": ("Thames", "템스강"), "Ebro": ("Ebro", "에브로강"), "Tajo": ("Tagus", "타호강"), "Tejo": ("Tagus", "타호강"),
    "Duero": ("Douro", "도루강"), "Volga": ("Volga", "볼가강"), "Don": ("Don", "돈강"), "Dnipro": ("Dnipro", "드니프로강"),
    "Dnepre": ("Dnipro", "드니프로강"), "Drava": ("Drava", "드라바강"), "Tisza": ("Tisza", "티서강"), "Tisa": ("Tisza", "티서강"),
    "Nile": ("Nile", "나일강"), "Congo": ("Congo", "콩고강"), "Niger": ("Niger", "니제르강"), "Zambezi": ("Zambezi", "잠베지강"),
    "Amazonas": ("Amazon", "아마존강"), "Mississippi": ("Mississippi", "미시시피강"), "Missouri": ("Missouri", "미주리강"),
    "Colorado": ("Colorado", "콜로라도강"), "Hudson": ("Hudson", "허드슨강"), "Rio Grande": ("Rio Grande", "리오그란데강"),
    "Yukon": ("Yukon", "유콘강"), "St. Lawrence": ("St. Lawrence", "세인트로렌스강"), "Mekong": ("Mekong", "메콩강"),
    "Lancang": ("Mekong", "메콩강"), "Yangtze": ("Yangtze", "양쯔강"), "Chang Jiang": ("Yangtze", "양쯔강"),
    "Huang": ("Yellow River", "황허강"), "Ganges": ("Ganges", "갠지스강"), "Indus": ("Indus", "인더스강"),
    "Brahmaputra": ("Brahmaputra", "브라마푸트라강"), "Amur": ("Amur", "아무르강"), "Heilong Jiang": ("Amur", "아무르강"),
    "Songhua": ("Songhua", "쑹화강"), "Lena": ("Lena", "레나강"), "Yenisey": ("Yenisei", "예니세이강"), "Ob": ("Ob", "오비강"),
    "Al Furat": ("Euphrates", "유프라테스강"), "Firat": ("Euphrates", "유프라테스강"), "Euphrates": ("Euphrates", "유프라테스강"),
    "Dicle": ("Tigris", "티그리스강"), "Tigris": ("Tigris", "티그리스강"), "Hong": ("Red River", "홍강"),
    "Ishikari": ("Ishikari", "이시카리강"), "Liao": ("Liao", "랴오허강"), "Murray": ("Murray", "머리강"), "Jordan": ("Jordan", "요르단강"),
    "Selenge (Selenga)": ("Selenge", "셀렝게강"), "Amu  Darya": ("Amu Darya", "아무다리야강"), "Neva": ("Neva", "네바강"),
    "Syr Darya": ("Syr Darya", "시르다리야강"), "São  Francisco": ("São Francisco", ""), "Bahr el  Zeraf": ("Bahr el Zeraf", ""),
}
LAKES = {
    "Lake Geneva": ("Lake Geneva", "레만호"), "Bodensee": ("Lake Constance", "보덴호"), "Lake Balaton": ("Lake Balaton", "벌러톤호"),
    "Lake Baikal": ("Lake Baikal", "바이칼호"), "Biwa Ko": ("Lake Biwa", "비와호"), "Lake Khanka": ("Lake Khanka", "한카호"),
    "Qinghai Hu": ("Qinghai Lake", "칭하이호"), "Tai Hu": ("Lake Tai", "타이호"), "Hövsgöl Nuur": ("Lake Khövsgöl", "홉스골호"),
    "Tonle Sap": ("Tonlé Sap", "톤레사프호"), "Danau Toba": ("Lake Toba", "토바호"), "Issyk-Kul": ("Issyk-Kul", "이식쿨호"),
    "Aral Sea": ("Aral Sea", "아랄해"), "Lake Ladoga": ("Lake Ladoga", "라도가호"), "Lake Onega": ("Lake Onega", "오네가호"),
    "Vänern": ("Vänern", "베네른호"), "Vättern": ("Vättern", "베테른호"), "Mälaren": ("Mälaren", "멜라렌호"), "Lake Van": ("Lake Van", "반호"),
    "Dead Sea": ("Dead Sea", "사해"), "Lake Victoria": ("Lake Victoria", "빅토리아호"), "Lake Nasser": ("Lake Nasser", "나세르호"),
    "Lake Tanganyika": ("Lake Tanganyika", "탕가니카호"), "Lake Malawi": ("Lake Malawi", "말라위호"),
    "Lake Superior": ("Lake Superior", "슈피리어호"), "Lake Michigan": ("Lake Michigan", "미시간호"),
    "Lake Huron": ("Lake Huron", "휴런호"), "L. Erie": ("Lake Erie", "이리호"), "L. Ontario": ("Lake Ontario", "온타리오호"),
    "L. Tahoe": ("Lake Tahoe", "타호호"), "Great Salt Lake": ("Great Salt Lake", "그레이트솔트호"),
    "Lago Titicaca": ("Lake Titicaca", "티티카카호"), "Lake Taupo": ("Lake Taupo", "타우포호"),
    "Sea of Galilee": ("Sea of Galilee", "갈릴리호"), "Poyang Hu": ("Poyang Lake", "포양호"), "Nam Co": ("Namtso", "남초호"),
    "Lake Tekapo": ("Lake Tekapo", "테카포호"), "Lake Pukaki": ("Lake Pukaki", "푸카키호"), "Lake Powell": ("Lake Powell", "파월호"),
    "Lake Mead": ("Lake Mead", "미드호"), "Lake Peipus": ("Lake Peipus", "페이푸스호"), "IJsselmeer": ("IJsselmeer", "에이설호"),
}

# The provinces that are no cities, by their code in the census: the names of `Region`, and where these may stand. A map has
# each name once.
PROVINCES = """
    31 경기 Gyeonggi 37.22 127.38, 31 경기 Gyeonggi 37.88 127.28
    32 강원 Gangwon 37.78 128.30, 32 강원 Gangwon 37.90 127.95, 32 강원 Gangwon 37.42 128.80
    33 충북 Chungbuk 36.74 127.72, 33 충북 Chungbuk 37.05 128.10, 33 충북 Chungbuk 36.35 127.70
    34 충남 Chungnam 36.53 126.75, 34 충남 Chungnam 36.16 127.25, 34 충남 Chungnam 36.80 127.08
    35 전북 Jeonbuk 35.71 127.17, 35 전북 Jeonbuk 35.50 126.85, 35 전북 Jeonbuk 35.82 127.52
    36 전남 Jeonnam 34.90 126.90, 36 전남 Jeonnam 35.15 127.20, 36 전남 Jeonnam 34.68 126.62
    37 경북 Gyeongbuk 36.30 128.95, 37 경북 Gyeongbuk 36.60 128.42, 37 경북 Gyeongbuk 36.10 128.15, 37 경북 Gyeongbuk 36.90 128.88
    38 경남 Gyeongnam 35.33 128.10, 38 경남 Gyeongnam 35.45 128.62, 38 경남 Gyeongnam 35.03 128.25
"""
