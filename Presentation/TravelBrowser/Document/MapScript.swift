/// The part of the script for maps and pictures.
///
/// - **Zoom**: what a map shows is its `viewBox`. What is drawn around 0 and moved to its place keeps its size on the screen,
///   and what has `data-zoom` is shown between two zooms: markers that share a place separate. The view of a map is kept as
///   coordinates, so that a map that has changed is shown where the person was.
/// - **Gestures** never take the page from the person: a wheel zooms with Ctrl or ⌘, and so does a pinch on a trackpad; without,
///   it scrolls. One finger scrolls the page, two move and zoom the map, as in the embedded maps of Google and MapLibre: a map is
///   as wide as a phone, and one that took every finger would be a trap. A mouse drags, since a drag has no other meaning.
/// - **Markers and entries** highlight each other. A marker leads to its entry, on another day as well.
/// - **Pictures** open in a dialog, with keys and swipes.
/// - **Tiles** of streets are loaded after a click on a control that says to whom that discloses the place, on each map anew.
///   They are in the projection of Mercator: each is stretched between its parallels, on which it is exact.
enum MapScript {
    static let content = #"""
        addEventListener("DOMContentLoaded", () => {
          const page = () => document.getElementById("page").dataset;
          const calm = matchMedia("(prefers-reduced-motion: reduce)");
          const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
          const isPlain = event => !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
          const make = (name, properties) => Object.assign(document.createElement(name), properties);

          // MARK: The map of the page

          const left = new Map();           // where each map was left, by the path of its page
          const sizes = new WeakMap();      // the whole drawing, by its element
          let map = null;

          function find() {
            const svg = document.querySelector("#map svg[data-projection]"), path = location.pathname;
            if (!svg) return map = null;
            // A patch that has changed the map has reset its view.
            const box = svg.getAttribute("viewBox"), isNew = !sizes.has(svg) || box !== map?.box;
            if (!isNew && map?.svg === svg && map.path === path) return;
            if (!sizes.has(svg)) listen(svg);
            if (isNew) sizes.set(svg, box.split(" ").slice(2).map(Number));
            const [width, height] = sizes.get(svg), [latitude, longitude, across, down, scale, exact] = svg.dataset.projection.split(" ").map(Number);
            map = { svg, path, width, height, latitude, longitude, across, down, scale, exact, view: { x: 0, y: 0, k: 1 }, goal: null };
            svg.setAttribute("tabindex", "0");
            svg.setAttribute("aria-describedby", "map-keys");
            const place = left.get(path);
            if (place) {
              const k = clamp(width / scale / place.metres, 1, most());
              const x = width / 2 + (place.longitude - longitude) * across, y = height / 2 - (place.latitude - latitude) * down;
              if (x > 0 && x < width && y > 0 && y < height) map.view = { k, x: x - width / k / 2, y: y - height / k / 2 };
            }
            draw();
          }

          // Closer than a metre a pixel nothing is exact, and without streets there is nothing more to see long before.
          const most = () => clamp(1 / map.scale, 4, isTiled() ? 4096 : 64);
          const isTiled = () => left.get(map.path)?.isTiled === true && !!tileButton();

          function keep() {
            const { width, height, latitude, longitude, across, down, scale, view: { x, y, k }, path } = map;
            left.set(path, {
              longitude: longitude + (x + width / k / 2 - width / 2) / across, latitude: latitude - (y + height / k / 2 - height / 2) / down,
              metres: width / scale / k, isTiled: isTiled(),
            });
          }

          const short = number => Number(number.toFixed(4));

          function draw() {
            const { svg, width, height, view, scale, exact } = map, k = view.k = clamp(view.k, 1, most());
            view.x = clamp(view.x, 0, width - width / k);
            view.y = clamp(view.y, 0, height - height / k);
            map.box = [view.x, view.y, width / k, height / k].map(short).join(" ");
            svg.setAttribute("viewBox", map.box);
            const metres = width / scale / k, size = k === 1 ? "" : ` scale(${short(1 / k)})`;
            for (const [name, isOn] of [["zoomed", k > 1], ["near", k > 1 && metres < 20000], ["close", k > 1 && metres < exact], ["tiled", isTiled()]]) svg.classList.toggle(name, isOn);
            for (const fixed of svg.querySelectorAll("[transform^=translate]")) {
              fixed.setAttribute("transform", fixed.getAttribute("transform").split(")")[0] + ")" + size);
            }
            let hidden = null;
            for (const part of svg.querySelectorAll("[data-zoom]")) {
              const [from, to = Infinity] = part.dataset.zoom.split(" ").map(Number), isShown = k >= from && k < to;
              if (!isShown && part.contains(document.activeElement)) hidden = part;
              if (isShown) part.removeAttribute("display");
              else part.setAttribute("display", "none");
            }
            if (hidden) svg.focus({ preventScroll: true });
            drawScale(metres);
            for (const button of document.querySelectorAll("#map [data-zoom-to]")) {
              button.setAttribute("aria-disabled", button.dataset.zoomTo === "in" ? k >= most() : k <= 1);
            }
            keep();
            drawTiles();
          }

          // The scale stays in its corner, with a round length.
          function drawScale(metres) {
            const { svg, width, height, scale, view: { x, y, k } } = map, group = svg.querySelector(".scale");
            if (!group) return;
            const power = 10 ** Math.floor(Math.log10(metres / 5)), round = [5, 2, 1].find(times => times * power <= metres / 5) * power;
            const length = short(round * scale * k), [top, bottom] = [height - 22, height - 14];
            // An attribute that begins otherwise than those of what keeps its place.
            group.setAttribute("transform", `matrix(${short(1 / k)} 0 0 ${short(1 / k)} ${short(x)} ${short(y)})`);
            group.querySelector("path").setAttribute("d", `M12 ${top}V${bottom}H${12 + length}V${top}`);
            const text = group.querySelector("text");
            text.setAttribute("x", 18 + length);
            text.textContent = round < 1000 ? `${Math.round(round)} m` : `${Math.round(round / 1000)} km`;
          }

          let frame = 0;
          // Moves to a view; what both views show stays at its place on the way.
          function go(view, isSmooth = true) {
            cancelAnimationFrame(frame);
            const { width, height } = map, k = clamp(view.k, 1, most());
            const goal = { k, x: clamp(view.x, 0, width - width / k), y: clamp(view.y, 0, height - height / k) };
            if (!isSmooth || calm.matches) { Object.assign(map, { view: goal, goal: null }); return draw(); }
            const shown = map, from = { ...map.view }, begin = performance.now();
            map.goal = goal;
            const step = now => {
              if (map !== shown) return;
              const share = clamp((now - begin) / 180, 0, 1), eased = 1 - (1 - share) ** 3, k = from.k * (goal.k / from.k) ** eased;
              const way = from.k === goal.k ? eased : (1 / k - 1 / from.k) / (1 / goal.k - 1 / from.k);
              map.view = share === 1 ? goal : { k, x: from.x + (goal.x - from.x) * way, y: from.y + (goal.y - from.y) * way };
              draw();
              if (share < 1) frame = requestAnimationFrame(step);
              else map.goal = null;
            };
            frame = requestAnimationFrame(step);
          }

          // Zooms so many times, and keeps a point of the map at its place.
          function zoom(times, point, isSmooth) {
            const view = map.goal || map.view, k = clamp(view.k * times, 1, most());
            const { x, y } = point || { x: view.x + map.width / view.k / 2, y: view.y + map.height / view.k / 2 };
            go({ k, x: x - (x - view.x) * view.k / k, y: y - (y - view.y) * view.k / k }, isSmooth);
          }

          // The units a pixel of the screen, and the point of the map at one.
          const unit = () => map.width / map.view.k / map.svg.getBoundingClientRect().width;
          function pointAt(x, y) {
            const box = map.svg.getBoundingClientRect();
            return { x: map.view.x + (x - box.left) * unit(), y: map.view.y + (y - box.top) * unit() };
          }

          let hinting = 0;
          function hint(text) {
            const element = document.querySelector("#map .hint");
            if (!element || !text) return;
            element.textContent = text;
            element.classList.add("shown");
            clearTimeout(hinting);
            hinting = setTimeout(() => element.classList.remove("shown"), 1500);
          }

          // MARK: Tiles of streets

          const tileButton = () => document.querySelector("#map [data-tiles]");
          // A parallel in the projection of Mercator, 0 in the north and 1 in the south, and back.
          const mercator = latitude => 0.5 - Math.asinh(Math.tan(clamp(latitude, -85.05, 85.05) * Math.PI / 180)) / (2 * Math.PI);
          const parallel = place => Math.atan(Math.sinh(Math.PI * (1 - 2 * place))) * 180 / Math.PI;
          let tiling = 0;

          function drawTiles() {
            const button = tileButton(), group = map.svg.querySelector("g.tiles");
            clearTimeout(tiling);
            if (!button) return;
            button.setAttribute("aria-pressed", isTiled());
            document.querySelector("#map .credit").hidden = !isTiled();
            if (!isTiled()) group?.remove();
            else tiling = setTimeout(loadTiles, group ? 120 : 0);
          }

          function loadTiles() {
            if (!map || !isTiled()) return;
            const { svg, width, height, latitude, longitude, across, down, view: { x, y, k } } = map, address = tileButton().dataset.tiles;
            const element = name => document.createElementNS(svg.namespaceURI, name);
            let group = svg.querySelector("g.tiles");
            if (!group) {
              group = element("g");
              group.setAttribute("class", "tiles");
              group.setAttribute("aria-hidden", "true");
              svg.insertBefore(group, svg.querySelector(".net"));
            }
            // Where the map is small, a tile of the earth would be stretched too far.
            const z = clamp(Math.round(Math.log2(across * 360 / 256 / unit())), 3, 19), count = 2 ** z;
            const column = x => Math.floor((longitude + (x - width / 2) / across + 180) / 360 * count);
            const row = y => Math.floor(mercator(latitude - (y - height / 2) / down) * count);
            const left = column => width / 2 + (column / count * 360 - 180 - longitude) * across;
            const top = row => height / 2 - (parallel(row / count) - latitude) * down;
            const there = new Map([...group.children].map(tile => [tile.dataset.tile, tile])), wanted = new Set();
            let loading = 0;
            const clear = () => { for (const tile of [...group.children]) if (!wanted.has(tile.dataset.tile)) tile.remove(); };
            for (let i = column(x); i <= column(x + width / k); i++) {
              for (let j = Math.max(row(y), 0); j <= Math.min(row(y + height / k), count - 1); j++) {
                const name = `${z}/${i}/${j}`;
                wanted.add(name);
                if (there.has(name)) continue;
                const tile = element("image"), [west, north] = [left(i), top(j)];
                tile.dataset.tile = name;
                // A little larger, so that there is no seam.
                const place = { x: west, y: north, width: left(i + 1) - west + unit() / 2, height: top(j + 1) - north + unit() / 2 };
                for (const [name, value] of Object.entries(place)) tile.setAttribute(name, short(value));
                tile.setAttribute("preserveAspectRatio", "none");
                loading++;
                // Those of another zoom stay until these are there.
                tile.onload = tile.onerror = () => { if (--loading === 0) clear(); };
                tile.setAttribute("href", address.replace("{z}", z).replace("{x}", (i % count + count) % count).replace("{y}", j));
                group.append(tile);
              }
            }
            if (!loading) clear();
          }

          document.addEventListener("click", event => {
            if (!map || !event.target.closest?.("#map [data-tiles]")) return;
            left.get(map.path).isTiled = !isTiled();
            // Without streets the map is not enlarged as far.
            zoom(1, null, false);
          });

          // MARK: Gestures

          let drag = null, pinch = null, hasDragged = false;

          function listen(svg) {
            const on = (kind, action, options) => svg.addEventListener(kind, event => { if (map?.svg === svg) action(event); }, options);
            on("wheel", event => {
              if (!event.ctrlKey && !event.metaKey) return hint(svg.closest(".frame").dataset.wheel);
              event.preventDefault();
              const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
              zoom(2 ** clamp(-pixels / 50, -1, 1), pointAt(event.clientX, event.clientY), false);
            }, { passive: false });
            on("dblclick", event => {
              if (event.target.closest("a")) return;
              event.preventDefault();
              zoom(event.shiftKey ? 0.5 : 2, pointAt(event.clientX, event.clientY));
            });
            on("dragstart", event => event.preventDefault());
            on("pointerdown", event => {
              hasDragged = false;
              if (event.pointerType !== "touch" && !event.button && map.view.k > 1) drag = { x: event.clientX, y: event.clientY, view: { ...map.view } };
            });
            on("pointermove", event => {
              if (!drag || !event.buttons) return drag = null;
              const [across, down] = [event.clientX - drag.x, event.clientY - drag.y];
              if (!hasDragged && Math.hypot(across, down) < 4) return;
              if (!hasDragged) svg.setPointerCapture(event.pointerId);
              hasDragged = true;
              go({ ...drag.view, x: drag.view.x - across * unit(), y: drag.view.y - down * unit() }, false);
            });
            for (const kind of ["pointerup", "pointercancel"]) on(kind, () => drag = null);
            // The end of a drag is no click.
            on("click", event => {
              if (!hasDragged) return;
              hasDragged = false;
              event.preventDefault();
              event.stopPropagation();
            }, true);
            const fingers = ([one, other]) => ({
              x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2,
              distance: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
            });
            on("touchstart", event => {
              if (event.touches.length !== 2) return pinch = null;
              const { x, y, distance } = fingers(event.touches);
              pinch = { point: pointAt(x, y), k: map.view.k, distance };
            }, { passive: true });
            on("touchmove", event => {
              if (!pinch) return map.view.k > 1 && hint(svg.closest(".frame").dataset.touch);
              event.preventDefault();
              const { x, y, distance } = fingers(event.touches), box = svg.getBoundingClientRect();
              const k = clamp(pinch.k * distance / pinch.distance, 1, most()), units = map.width / k / box.width;
              go({ k, x: pinch.point.x - (x - box.left) * units, y: pinch.point.y - (y - box.top) * units }, false);
            }, { passive: false });
            for (const kind of ["touchend", "touchcancel"]) on(kind, () => pinch = null);
          }

          document.addEventListener("click", event => {
            const button = event.target.closest?.("#map [data-zoom-to]");
            if (!button || !map) return;
            if (button.dataset.zoomTo === "reset") go({ x: 0, y: 0, k: 1 });
            else zoom(button.dataset.zoomTo === "in" ? 2 : 0.5);
          });

          // The keys of the buttons are those of the whole page; these are those of a map with the focus.
          document.addEventListener("keydown", event => {
            if (!map || event.ctrlKey || event.metaKey || event.altKey || !map.svg.contains(event.target)) return;
            const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [0, 0];
            if (event.key === "=") zoom(2);
            else if ((across || down) && map.view.k > 1) {
              const view = map.goal || map.view;
              go({ ...view, x: view.x + across * map.width / view.k / 5, y: view.y + down * map.height / view.k / 5 });
            } else return;
            event.preventDefault();
          }, true);

          // MARK: Markers and entries

          let hovered = [], focused = [], wanted = null;

          // The numbers of `1-3 7`.
          const stopsOf = marker => marker.dataset.stops.split(" ").flatMap(run => {
            const [first, last = first] = run.split("-").map(Number);
            return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
          });

          // The element of an entry has its number, or contains it.
          const entryOf = stop => document.getElementById(stop)?.closest("article, li");

          function stopsAt(element) {
            const marker = element?.closest?.("a[data-stops]"), entry = element?.closest?.("#day article, #stops li");
            const stop = entry?.id.startsWith("stop-") ? entry : entry?.querySelector(".stop");
            return marker ? stopsOf(marker) : stop ? [stop.id.slice("stop-".length)] : [];
          }

          function light() {
            const numbers = new Set([...hovered, ...focused]);
            for (const element of document.querySelectorAll("#screen .lit")) element.classList.remove("lit");
            for (const number of numbers) entryOf(`stop-${number}`)?.classList.add("lit");
            if (!numbers.size || !map) return;
            for (const marker of map.svg.querySelectorAll("a[data-stops]")) {
              if (stopsOf(marker).some(number => numbers.has(number))) marker.classList.add("lit");
            }
          }

          const change = (before, now) => String(before) !== String(now);
          document.addEventListener("pointerover", event => {
            const now = event.pointerType === "touch" ? [] : stopsAt(event.target), isChanged = change(hovered, now);
            hovered = now;
            if (isChanged) light();
          });
          document.addEventListener("focusin", event => { focused = stopsAt(event.target); light(); });
          document.addEventListener("focusout", () => { focused = []; light(); });

          function showEntry(entry) {
            entry.scrollIntoView({ block: "start", behavior: calm.matches ? "instant" : "smooth" });
            entry.querySelector("a[href]")?.focus({ preventScroll: true });
          }

          document.addEventListener("click", event => {
            const marker = event.target.closest?.("a[data-stops]");
            if (!marker || !isPlain(event)) return;
            const entry = stopsOf(marker).map(number => entryOf(`stop-${number}`)).find(entry => entry);
            // An entry of another day is on the page after the answer to its link.
            wanted = entry ? null : marker.getAttribute("href").split("#")[1];
            if (!entry) return;
            event.preventDefault();
            showEntry(entry);
          }, true);
          for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => wanted = null, true);

          function showWanted() {
            const entry = wanted && entryOf(wanted);
            if (!entry) return;
            wanted = null;
            showEntry(entry);
          }

          // MARK: Pictures

          const pictures = () => [...document.querySelectorAll("#screen a[data-picture]")];

          document.addEventListener("click", event => {
            const link = event.target.closest?.("#screen a[data-picture]");
            if (!link || !isPlain(event) || event.defaultPrevented) return;
            event.preventDefault();
            openPictures(link);
          });

          function openPictures(opened) {
            const texts = page(), dialog = make("dialog", { className: "lightbox" });
            const image = make("img"), caption = make("p", { className: "caption", dir: "auto" }), count = make("p", { className: "count" });
            const button = (text, name, action, className) => {
              const button = make("button", { type: "button", className, textContent: text, onclick: action });
              button.setAttribute("aria-label", name);
              return button;
            };
            // The links may be replaced while the dialog is open: the picture is known by its address.
            let href = opened.getAttribute("href"), at = pictures().indexOf(opened);
            function show(index) {
              const all = pictures(), link = all[at = clamp(index, 0, all.length - 1)];
              if (!link) return dialog.close();
              href = link.getAttribute("href");
              const small = link.querySelector("img"), text = link.closest("figure")?.querySelector("figcaption")?.textContent || small.alt;
              // Before it has arrived, nothing of the one before is shown below another caption.
              image.removeAttribute("src");
              Object.assign(image, { src: href, alt: small.alt });
              caption.textContent = text;
              count.textContent = texts.pictureCount.replace("{n}", at + 1).replace("{m}", all.length);
              previous.setAttribute("aria-disabled", at === 0);
              next.setAttribute("aria-disabled", at === all.length - 1);
              previous.hidden = next.hidden = all.length < 2;
              for (const near of [all[at + 1], all[at - 1]]) if (near) new Image().src = near.href;
            }
            const step = steps => { if (pictures()[at + steps]) show(at + steps); };
            const previous = button("‹", texts.previousPicture, () => step(-1), "previous"), next = button("›", texts.nextPicture, () => step(1), "next");
            const text = make("div", { className: "about" });
            text.setAttribute("aria-live", "polite");
            text.append(caption, count);
            dialog.append(button("×", texts.closePicture, () => dialog.close(), "close"), previous, image, next, text);
            dialog.setAttribute("aria-label", texts.pictures);
            dialog.addEventListener("keydown", event => {
              if (!isPlain(event)) return;
              const action = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => show(0), End: () => show(Infinity) }[event.key];
              if (!action) return;
              event.preventDefault();
              action();
            });
            // What is beside the picture closes it.
            dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
            let from = null;
            dialog.addEventListener("touchstart", event => from = event.touches.length === 1 ? event.touches[0] : null, { passive: true });
            dialog.addEventListener("touchcancel", () => from = null);
            dialog.addEventListener("touchend", event => {
              const [across, down] = from ? [event.changedTouches[0].clientX - from.clientX, event.changedTouches[0].clientY - from.clientY] : [0, 0];
              from = null;
              // An enlarged picture is moved, not left.
              if (Math.abs(across) > 48 && Math.abs(across) > 2 * Math.abs(down) && (visualViewport?.scale ?? 1) < 1.05) step(across < 0 ? 1 : -1);
            }, { passive: true });
            dialog.addEventListener("close", () => {
              dialog.remove();
              const all = pictures(), link = all.find(link => link.getAttribute("href") === href) || all[clamp(at, 0, all.length - 1)];
              link?.scrollIntoView({ block: "nearest", behavior: "instant" });
              (link || document.getElementById("screen")).focus({ preventScroll: true });
            });
            document.body.append(dialog);
            show(at);
            dialog.showModal();
          }

          document.addEventListener("patched", () => { find(); light(); showWanted(); });
          find();
        });
        """#
}
