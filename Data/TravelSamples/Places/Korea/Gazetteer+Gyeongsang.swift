extension Gazetteer {
    static let daegu = """
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
        """

    static let gyeongbuk = """
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
        """
}
