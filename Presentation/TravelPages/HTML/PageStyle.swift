/// The style sheet of all pages: for phones first, for wider windows, dark, and for print.
///
/// The room of a picture does not depend on the picture, so that nothing moves when it arrives: it is shown as a whole inside
/// of that room, or fills it where it leads to the whole.
package enum PageStyle {
    /// The content of the element `style`, the same on every page.
    package static let content: CSS = "\n\(css)\n\(MapStyle.css)\n\(MapStyle.pageCSS)\n"

    /// The SHA-256 of ``content`` in base 64, by which a content security policy allows this style and no other. A test
    /// compares it.
    static let digest = "95XWhySnyr2Q8ysTvUOaDMUNXjTCZgjbXEmXiUm1Pdc="

    /// The colours of the two themes.
    static let light: CSS = "--paper:#fff;--ink:#1f2328;--soft:#5f646b;--rule:#e3dfd3;--accent:#0b62b8;--on:#fff"
    static let dark: CSS = """
        --paper:#171b20;--ink:#e8eaed;--soft:#a2a8b0;--rule:#333a43;--accent:#6cb2ff;--on:#101317
        """

    private static let css: CSS = """
        :root{color-scheme:light dark;\(light)}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;scroll-behavior:smooth;scrollbar-gutter:stable}
        body{margin:0 auto;max-width:46rem;padding:1.25rem 1rem 3rem;background:var(--paper);color:var(--ink);line-height:1.6;\
        font-family:system-ui,-apple-system,"Apple SD Gothic Neo","Noto Sans KR","Malgun Gothic",sans-serif;\
        overflow-wrap:anywhere;word-break:keep-all}
        h1{font-size:1.9rem;line-height:1.25;margin:.25rem 0}
        h2{font-size:1.2rem;margin:2.25rem 0 .75rem;padding-bottom:.35rem;border-bottom:1px solid var(--rule)}
        h2 time{color:var(--soft);font-size:.95rem;font-weight:400;margin-inline-start:.35rem}
        h3{font-size:1.05rem;margin:0}
        p{margin:.25rem 0}
        img{display:block;width:100%;aspect-ratio:4/3;margin:.6rem 0;border-radius:.5rem;object-fit:contain;\
        background:color-mix(in srgb,var(--rule) 40%,var(--paper))}
        .pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,14rem),1fr));gap:.5rem;align-items:start;margin:.6rem 0}
        .pictures img{margin:0}
        .tlmap{display:block;width:100%;height:auto;max-width:35rem;margin:0 auto;border:1px solid var(--rule);\
        border-radius:.5rem}
        .dates,.place,.note,footer{color:var(--soft)}
        .note{font-size:.85rem}
        a{color:var(--accent)}
        .facts{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;margin:.75rem 0;padding:0}
        .facts li{border:1px solid var(--rule);border-radius:1rem;padding:.1rem .7rem;font-size:.9rem}
        .days{position:sticky;top:0;z-index:1;display:flex;gap:.4rem;overflow-x:auto;margin:1rem 0 0;padding:.5rem 0;\
        background:var(--paper)}
        .days a{flex:none;color:var(--accent);border:1px solid var(--rule);border-radius:1rem;padding:.15rem .8rem;\
        text-decoration:none;font-size:.9rem}
        .days a:hover,.days a:focus-visible{border-color:var(--accent)}
        section,article{scroll-margin-top:4rem}
        article{position:relative;margin:0 0 1.5rem;padding-inline-start:4.25rem}
        article:target h3{color:var(--accent)}
        .when{position:absolute;inset-inline-start:0;top:0;margin:0;font-variant-numeric:tabular-nums;color:var(--soft);\
        text-align:center}
        .stop{display:block;min-width:1.6rem;width:fit-content;margin:.3rem auto 0}
        .place b{color:var(--ink);font-weight:600}
        footer{margin-top:3rem;padding-top:.75rem;border-top:1px solid var(--rule);font-size:.9rem}
        .home{font-size:.9rem}
        form{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0}
        input,select,button{max-width:100%;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--rule);\
        border-radius:.5rem;padding:.4rem .6rem}
        input[type=search]{flex:1 1 12rem;min-width:0}
        input[type=checkbox]{accent-color:var(--accent);margin:0 .35rem 0 0}
        button{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600;padding:.4rem 1rem}
        :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
        details{flex:1 0 100%;border:1px solid var(--rule);border-radius:.5rem;padding:.5rem .75rem}
        summary{cursor:pointer}
        fieldset{display:flex;flex-wrap:wrap;gap:.3rem .9rem;min-width:0;margin:.75rem 0 0;padding:0;border:0}
        legend{padding:0;color:var(--soft);font-size:.9rem}
        fieldset label{display:inline-flex;align-items:center;min-height:1.9rem}
        .choices{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.6rem;margin-top:.75rem}
        .choices select{width:100%;min-width:0}
        .choices label,.order{display:grid;color:var(--soft);font-size:.9rem}
        .order{display:flex;align-items:center;gap:.4rem}
        .trips{list-style:none;margin:1rem 0;padding:0}
        .trips a{display:grid;grid-template-columns:6.5rem 1fr;gap:.9rem;padding:.75rem 0;border-top:1px solid var(--rule);\
        color:inherit;text-decoration:none}
        .trips a:hover h2,.trips a:focus-visible h2{color:var(--accent)}
        .trips h2{margin:0;padding:0;border:0;font-size:1.05rem;line-height:1.35}
        .trips p{font-size:.9rem;color:var(--soft)}
        .parts{display:flex;flex-wrap:wrap;margin-inline-start:-1.1em;clip-path:inset(0 0 0 1.1em)}
        .parts span{position:relative;min-width:0;padding-inline-start:1.1em}
        .parts i{position:absolute;inset-inline-start:0;width:1.1em;text-align:center;font-style:normal}
        .cover{width:100%;aspect-ratio:4/3;margin:0;object-fit:cover;border-radius:.5rem;background:var(--rule)}
        span.cover{display:grid;place-items:center;color:var(--soft);font-size:.9rem}
        .pages{display:flex;justify-content:space-between;gap:1rem}
        @media screen and (prefers-color-scheme:dark){:root{\(dark)}}
        @media (max-width:26rem){article{padding-inline-start:3.6rem}h1{font-size:1.6rem}}
        @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
        @media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--rule:#bbb;--accent:#0b62b8;--on:#fff}\
        nav,form,.home{display:none}body{max-width:none;padding:0}article,img,.tlmap{break-inside:avoid}h2,h3{break-after:avoid}\
        img{max-height:12cm;background:none}}
        """
}
