internal import TravelPages

/// The style sheet of the app: that of all pages, and what only screens with controls have.
enum AppStyle {
    static var content: String { "\(PageStyle.content.text)\n\(css.text)\n\(themes.text)\n" }

    /// The theme that the person has chosen in this browser, which the script names at the root; `auto` is that of the system.
    private static let themes: CSS = """
        @media screen{
        \(PageTheme.light(in: ":root[data-theme=light]"))
        :root[data-theme=light]{--alarm:#b42318}
        \(PageTheme.dark(in: ":root[data-theme=dark]"))
        :root[data-theme=dark]{--alarm:#ff9d8f}
        }
        :root:not([data-theme]) .themes{display:none}
        """

    private static let css: CSS = """
        html{scroll-padding:7rem 0 5rem}
        body{max-width:60rem;padding-bottom:5rem}
        #controls{display:none}
        #sheet{display:block}
        #map{margin:1rem 0}
        .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        .skip{position:absolute;inset-inline-start:.5rem;top:-4rem;z-index:9;padding:.5rem 1rem;background:var(--paper)}
        .skip:focus{top:.5rem}
        main:focus{outline:none}
        #bar{position:sticky;top:0;z-index:3;display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem;margin:-1.25rem -1rem 1rem;\
        padding:.6rem 1rem;background:var(--paper);border-bottom:1px solid var(--rule)}
        #bar .brand{font-weight:700;font-size:1.15rem;color:var(--ink);text-decoration:none}
        #bar nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin-inline-start:auto}
        #bar nav a{display:inline-flex;align-items:center;min-height:1.75rem}
        #bar .status{font-size:.85rem}
        #bar .urgent{padding:.1rem .7rem;border:1px solid var(--alarm);border-radius:1rem;color:var(--alarm);font-weight:600}
        button,.button{display:inline-flex;align-items:center;justify-content:center;min-height:2rem;min-width:2rem;cursor:pointer;\
        text-decoration:none}
        button:disabled{opacity:.55;cursor:default}
        button.small{min-height:1.75rem;min-width:1.75rem;padding:.05rem .6rem;font-size:.85rem}
        #day button.small{color:var(--soft)}
        [data-copy]{display:none}
        .scripted [data-copy]{display:inline-flex}
        #sharing{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem}
        #map>.note{max-width:35rem;margin:.35rem auto}
        .banner{max-width:24rem}
        button.plain,button.chip,button.like{background:none;border-color:var(--rule);color:var(--ink);font-weight:400}
        button.danger{background:#b42318;border-color:#b42318;color:#fff}
        button.like[aria-pressed=true]{color:var(--alarm);border-color:currentColor}
        .buttons{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;margin:.5rem 0}
        .note{color:var(--soft)}
        .empty,.loading{padding:2rem 0;color:var(--soft)}
        .failure,.problem{color:var(--alarm)}
        #search{position:relative;align-items:center}
        #proposals{position:absolute;z-index:2;inset-inline:0;top:100%;padding:.25rem .75rem .5rem;background:var(--paper);\
        border:1px solid var(--rule);border-radius:.5rem;box-shadow:0 .5rem 1.5rem #0003}
        #proposals[hidden]{display:none}
        .proposal{display:flex;align-items:center;justify-content:space-between;gap:.5rem;min-height:2rem}
        .proposal a{flex:1;padding:.25rem 0;color:inherit;text-decoration:none}
        .proposal button,button.proposal{background:none;border:0;color:inherit;font-weight:400}
        .chips{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.5rem;margin:.5rem 0}
        .chips .sheet{flex:none;border-radius:1rem}
        .chips .sheet[open]{flex:1 0 100%;border-radius:.5rem}
        .import{display:grid;grid-template-columns:minmax(0,1fr);gap:.5rem;justify-items:start;padding:.25rem 0 .5rem}
        .import label{font-weight:600}
        .import input{max-width:100%}
        .import .note{margin:0}
        .import .uploads:empty,.import .uploads:empty+button{display:none}
        .dropping body::after{content:attr(data-drop);position:fixed;inset:.25rem;z-index:9;display:grid;place-items:center;\
        padding:1rem;border:3px dashed var(--accent);border-radius:.75rem;text-align:center;font-size:1.25rem;font-weight:600;\
        background:color-mix(in srgb,var(--paper) 85%,transparent);pointer-events:none}
        button.chip{border-radius:1rem;padding:.2rem .8rem}
        #trips li{display:flex;align-items:center;gap:.75rem;border-top:1px solid var(--rule)}
        #trips a{flex:1;border:0}
        h2+.trips li:first-child a{border:0}
        h2+.trips{margin-top:0}
        #day h2{border:0;margin:0;padding:0;font-size:1.05rem}
        #day h2 a{color:inherit;text-decoration:none}
        .days a[aria-current]{background:var(--accent);color:var(--on)}
        .days{top:3rem;margin-bottom:.5rem;scrollbar-width:thin}
        .pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(9rem,calc(50% - .2rem)),1fr));gap:.4rem;margin:.5rem 0}
        .pictures.one{display:block;max-width:32rem}
        .pictures:not(.one) img{aspect-ratio:1;object-fit:cover}
        .frame{position:relative;max-width:35rem;margin:0 auto}
        .frame .tlmap{touch-action:pan-x pan-y;user-select:none;-webkit-user-select:none}
        .frame .tlmap:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        #map.large .frame,#map.large .tlmap{max-width:44rem}
        .frame path{vector-effect:non-scaling-stroke}
        .frame .land{stroke-width:.5}
        .frame :is(.river,.border){stroke-width:1.2}
        .frame .lake{stroke-width:.6}
        .frame .province{stroke-width:.9}
        .frame .fine{stroke-width:.6}
        .frame .border{stroke-dasharray:6 3}
        .frame .disputed{stroke-dasharray:1 3}
        .frame .province{stroke-dasharray:2 2.5}
        .zoomed{cursor:grab}
        .zoomed:active{cursor:grabbing}
        .zoomed .net,.near :is(.river,.lake,.border),.close :is(.sea,path.land,.province){display:none}
        .tlmap a:focus-visible{outline:none}
        .tlmap a:is(:hover,:focus-visible,.lit) .mark{stroke:var(--ink);stroke-width:3}
        .tlmap a:focus-visible .mark{stroke:var(--accent);stroke-width:4;paint-order:stroke}
        .lit{border-radius:.5rem;background:color-mix(in srgb,var(--accent) 9%,var(--paper));\
        box-shadow:0 0 0 .4rem color-mix(in srgb,var(--accent) 9%,var(--paper))}
        .lit .stop{outline:2px solid var(--ink);outline-offset:1px}
        .zoom{display:none}
        .scripted .zoom{display:flex;justify-content:flex-end;gap:.25rem;margin-top:.25rem}
        .zoom button{width:2.25rem;min-height:2.25rem;padding:0;font-size:1.15rem;background:var(--paper);color:var(--ink);border-color:var(--rule)}
        .zoom [aria-disabled=true]{color:var(--soft);cursor:default}
        .tiles{display:none}
        .scripted .tiles{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;max-width:35rem;margin:.5rem auto}
        svg .tiles,.scripted svg .tiles{display:inline}
        #map.large .tiles{max-width:44rem}
        .tiles [aria-pressed=true]{background:var(--accent);border-color:var(--accent);color:var(--on)}
        .tiled :is(.sea,.land,.river,.lake,.border,.province,.net,.dots,.cities,.towns,.waters,.regions){display:none}
        .tiled .bar{filter:drop-shadow(0 0 1px var(--paper)) drop-shadow(0 0 1px var(--paper))}
        .credit{position:absolute;inset-block-end:1px;inset-inline-end:1px;max-width:70%;margin:0;padding:0 .4rem;font-size:.75rem;\
        background:var(--paper);color:var(--ink);border-radius:.5rem 0}
        .hint{position:absolute;inset:auto 0 0;margin:0;padding:.35rem .75rem;background:var(--ink);color:var(--paper);text-align:center;\
        font-size:.9rem;border-radius:0 0 .5rem .5rem;pointer-events:none;visibility:hidden}
        .hint.shown{visibility:visible}
        .scripted .hint{bottom:2.5rem}
        .scripted .credit{inset-block-end:calc(2.5rem + 1px)}
        .field{display:grid;grid-template-columns:minmax(0,1fr);align-content:start;gap:.25rem;margin:.75rem 0}
        .field>button{justify-self:start}
        .editor #field-place>button{margin-bottom:.75rem}
        .field textarea{min-height:9rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--rule);\
        border-radius:.5rem;padding:.5rem .6rem}
        .field .problem{font-size:.9rem}
        .field label,.field .label{font-weight:600}
        .scripted .unscripted{display:none}
        .editor{display:block;max-width:40rem}
        .editor .row{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:0 1rem}
        .editor fieldset{display:flex;align-items:center}
        .editor fieldset{gap:.3rem .9rem}
        .editor fieldset>p{flex-basis:100%}
        .editor fieldset label{font-weight:400}
        .editor legend{font-size:1rem;font-weight:600;color:inherit}
        .editor .field{margin:.25rem 0}
        .editor .field>.note,.editor .field>.problem{margin:0;min-height:1.4rem;font-size:.85rem}
        [aria-invalid=true]{border-color:#b42318}
        .places,.uploads{list-style:none;margin:0;padding:0}
        .places:not(:empty){border:1px solid var(--rule);border-radius:.5rem}
        .places li+li{border-top:1px solid var(--rule)}
        .places button{display:block;width:100%;text-align:start;padding:.4rem .6rem}
        .places button:hover b,.proposal a:hover{color:var(--accent)}
        .uploads li{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem}
        #failures li{flex-wrap:nowrap}
        #failures li>span{min-width:0}
        .editing{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:.75rem;list-style:none;margin:.5rem 0;padding:0}
        .editing li{display:grid;grid-template-columns:6.5rem minmax(0,1fr);gap:.75rem;align-items:start;min-width:0;\
        border:1px solid var(--rule);border-radius:.5rem;padding:.5rem}
        .editing li input{width:100%}
        .editing img{margin:0;aspect-ratio:1;object-fit:cover}
        .editing .note,.editing .problem{font-size:.85rem}
        .editing button{padding:.2rem .6rem}
        .editing details{padding:.15rem .6rem}
        .editing summary{font-size:.9rem}
        #cover{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem}
        #cover img{width:9rem;margin:0}
        #editor-buttons{position:sticky;bottom:0;z-index:1;margin:.5rem 0 0;padding:.6rem 0;background:var(--paper);\
        border-top:1px solid var(--rule)}
        body:has(#editor-buttons) #messages{bottom:5rem}
        li .buttons [aria-disabled]{opacity:.55}
        .question.versions>div{max-width:46rem;max-height:90vh;overflow:auto}
        .versions table{border-collapse:collapse;width:100%}
        .versions img{display:block;max-width:6rem;max-height:4.5rem;margin-top:.25rem}
        .versions th,.versions td{padding:.25rem;border-top:1px solid var(--rule);text-align:start;vertical-align:top}
        .versions th{font-size:.875rem;overflow-wrap:break-word}
        .field .problem,.field .note{font-size:.9rem;min-height:1.4rem;margin:0}
        input[type=radio]{accent-color:var(--accent);margin:0 .35rem 0 0}
        form.fields{display:block;max-width:26rem}
        .field input:not([type=checkbox],[type=radio]){width:100%}
        .confirm{flex:0 1 auto;padding:.35rem .75rem}
        .confirm[open]{flex:1 0 100%;padding:.5rem .75rem}
        figure{margin:0}
        figcaption{font-size:.9rem;color:var(--soft)}
        .sums{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.5rem 1rem;max-width:40rem;margin:.75rem 0;padding:0}
        .sums div{display:grid}
        .sums dt{order:2;font-size:.9rem;color:var(--soft)}
        .sums dd{margin:0;font-size:1.4rem;font-weight:700}
        .people{list-style:none;margin:1rem 0;padding:0}
        .people li{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem;padding:.5rem 0;\
        border-top:1px solid var(--rule)}
        .sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,16rem),1fr));gap:.75rem}
        .sides>section{border:1px solid var(--rule);border-radius:.5rem;padding:.5rem .75rem}
        span.cover{color:var(--ink)}
        article.whole{padding-inline-start:0}
        .sides h4{margin:0 0 .5rem}
        .sides,.conflict .note{margin-top:.5rem}
        .sides ul:not(.facts){margin:.25rem 0;padding-inline-start:1.25rem}
        blockquote{margin:.25rem 0;padding-inline-start:.75rem;border-inline-start:3px solid var(--rule)}
        .conflict{padding:0 0 1rem;border-bottom:1px solid var(--rule)}
        mark{color:inherit;background:none;font-weight:700;text-decoration:underline;text-decoration-color:var(--alarm);\
        text-underline-offset:.2em}
        #messages{position:fixed;z-index:8;inset-inline:1rem;bottom:1rem;display:grid;justify-items:center;gap:.5rem;pointer-events:none}
        .message,.lost{display:flex;align-items:center;gap:.75rem;margin:.25rem 0;padding:.5rem .75rem;border-radius:.5rem;\
        background:var(--ink);color:var(--paper);pointer-events:auto}
        .message.failure{background:#8f1c13;color:#fff}
        .message button{background:none;border-color:currentColor;color:inherit}
        .lost{position:fixed;z-index:9;top:.5rem;inset-inline-start:50%;transform:translateX(-50%)}
        .question{position:fixed;z-index:7;inset:0;display:grid;place-items:center;padding:1rem;background:#0008}
        .question>div{max-width:28rem;padding:1rem 1.25rem;background:var(--paper);\
        border:1px solid var(--rule);border-radius:.75rem;white-space:pre-line}
        dialog{max-width:32rem;color:var(--ink);background:var(--paper);border:1px solid var(--rule);border-radius:.75rem}
        .lightbox{inset:0;width:100vw;height:100dvh;max-width:none;max-height:none;margin:0;padding:.5rem;border:0;border-radius:0;\
        overflow:hidden;background:#101317;color:#e8eaed}
        html:has(.lightbox[open]){overflow:hidden;scrollbar-gutter:auto}
        .lightbox{touch-action:pan-y pinch-zoom}
        .lightbox[open]{display:grid;grid-template:minmax(0,1fr) auto/auto minmax(0,1fr) auto;gap:.5rem;align-items:center}
        .lightbox img{grid-area:1/1/2/-1;place-self:center;width:auto;max-width:100%;max-height:100%;aspect-ratio:auto;margin:0;\
        background:none}
        .lightbox .about{grid-area:2/1/3/-1;display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:0 .5rem;\
        max-height:30dvh;overflow:auto}
        .lightbox button{z-index:1;width:2.75rem;height:2.75rem;padding:0;font-size:1.5rem;line-height:1;border:1px solid #5f646b;border-radius:50%;\
        background:#101317cc;color:#fff}
        .lightbox button:focus-visible{outline-color:#6cb2ff}
        .lightbox [hidden]{display:none}
        .lightbox [aria-disabled=true]{opacity:.4;cursor:default}
        .lightbox .previous{grid-area:1/1}
        .lightbox .next{grid-area:1/3}
        .lightbox .close{position:absolute;top:.75rem;inset-inline-end:.75rem}
        .lightbox::backdrop{background:#101317}
        .keys dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}
        .keys dt{font-family:ui-monospace,monospace;font-weight:700}
        .keys dd{margin:0}
        :root{--alarm:#b42318}
        @media (prefers-color-scheme:dark){:root{--alarm:#ff9d8f}}
        @media (prefers-reduced-motion:no-preference){.message{animation:rise .15s ease-out}@keyframes rise{from{transform:translateY(.5rem);\
        opacity:0}}}
        @media (max-width:30rem){#bar{position:static;gap:.25rem .75rem}#bar nav{gap:.25rem .75rem}.days{top:0}html{scroll-padding-top:4rem}\
        .trips a{grid-template-columns:5rem 1fr}button.like{padding:.4rem .6rem}span.cover{font-size:.75rem}#proposals{top:3.25rem}}
        @media screen and (min-width:62rem){#screen>div:has(>#trip):has(>#map){display:grid;grid-template-columns:minmax(0,1fr) 27rem;\
        grid-template-rows:auto auto 1fr;column-gap:2rem}#screen>div:has(>#map)>#trip{grid-column:1/-1}\
        #screen>div:has(>#trip)>#map{grid-column:2;grid-row:2/4;align-self:start;position:sticky;top:4rem}\
        #screen>div:has(>#map)>:is(.days,#day){grid-column:1}}
        @media print{#bar,.days,.chips,#search,.buttons,.scripted .zoom,.scripted p.tiles,.hint,.like,#sharing,#map>.note,#messages,.lost,#list-end{display:none}}
        """
}
