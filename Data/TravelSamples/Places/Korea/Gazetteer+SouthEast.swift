extension Gazetteer {
    static let busan = """
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
        """

    static let ulsan = """
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
        """

    static let gyeongnam = """
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
        """
}
