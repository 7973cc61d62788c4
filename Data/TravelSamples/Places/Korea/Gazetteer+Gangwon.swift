extension Gazetteer {
    static let gangwon = """
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
        """
}
