extension Gazetteer {
    static let jeju = """
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
        """
}
