extension Gazetteer {
    static let daejeon = """
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
        """

    static let sejong = """
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
        """

    static let chungbuk = """
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
        """

    static let chungnam = """
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
        """
}
