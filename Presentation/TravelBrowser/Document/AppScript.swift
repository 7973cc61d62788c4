/// The script of the app, the same on every page; ``MapScript`` is the part for maps and pictures.
///
/// It is enhancement alone: without it, every link and every form leads to a whole page. What it does:
///
/// - **Inputs** are sent one after another, each once: with a number, and again until there is an answer. The server
///   ignores a number that it has handled.
/// - **Patches** arrive as server-sent events. Each has the changed parts of the page; an element that the browser has is
///   changed in place, so that focus, selection, scroll position and open menus stay. The text of a field is replaced
///   only when the patch has seen all that was typed into it, and never while a syllable is being composed.
/// - **Addresses** follow the screen. Going back or forward tells the server.
/// - **The theme** is the one that the person has chosen in this browser: it is set before anything is drawn.
/// - A hidden page closes its stream, since browsers open six connections to a host, and resumes where it was.
enum AppScript {
    static let content = pages + "\n" + MapScript.content

    private static let pages = #"""
        "use strict";
        // What only the script has use for takes its room before anything is drawn.
        document.documentElement.classList.add("scripted");
        document.documentElement.dataset.theme = "auto";
        try { document.documentElement.dataset.theme = localStorage.getItem("theme") || "auto"; } catch {}
        addEventListener("DOMContentLoaded", () => {
          const body = document.body, mark = "page-part";
          if (!body.dataset.run) return;    // a form for an account, which needs the theme alone
          const run = body.dataset.run, base = document.getElementById("controls").action.replace(/\/app(\/|\?|$).*/, "/app");
          const token = document.querySelector("#controls input[name=token]").value;
          let version = Number(body.dataset.version);
          const make = (name, properties) => Object.assign(document.createElement(name), properties);

          // MARK: Inputs

          const queue = [];
          const typed = new Map();          // the number of the last input of each field, by its element
          let lastNumber = 0, isSending = false, isOver = false;

          function send(pairs, element) {
            const last = queue[queue.length - 1];
            // What is pressed again before it was sent is pressed once.
            if (!element && last && !last.element && String(last.pairs) === String(pairs)) return;
            // Of several texts of one field that wait, only the last one is needed.
            if (element && last && last.element === element && !last.isSent) last.pairs = pairs;
            else queue.push({ number: ++lastNumber, pairs, element, isSent: false });
            for (const field of element?.type === "radio" ? document.getElementsByName(element.name) : [element]) typed.set(field, lastNumber);
            pump();
          }

          async function pump() {
            if (isSending || isOver) return;
            isSending = true;
            for (let wait = 250; queue.length && !isOver;) {
              const input = queue[0];
              input.isSent = true;
              const form = new URLSearchParams([["token", token], ["number", input.number], ...input.pairs]);
              try {
                const answer = await fetch(`${base}/runs/${run}`, { method: "POST", body: form, credentials: "same-origin" });
                if (answer.status === 404 || answer.status === 401) return end(answer.status);
                if (answer.status === 429 || answer.status >= 500) throw answer.status;
                queue.shift();
                wait = 250;
                if (stream) show(null);
              } catch (error) {
                if (error !== 429) show(body.dataset.lost);
                await new Promise(done => setTimeout(done, wait));
                wait = Math.min(wait * 2, 4000);
              }
            }
            isSending = false;
          }

          const fields = form => [...new FormData(form)].filter(([name, value]) => name !== "token" && typeof value === "string");

          // MARK: The stream of patches

          let stream = null, retry = 250, timer = 0;

          function connect() {
            clearTimeout(timer);
            if (stream || isOver || document.hidden) return;
            stream = new EventSource(`${base}/runs/${run}/patches?version=${version}`);
            stream.addEventListener("patch", event => { show(null); apply(JSON.parse(event.data)); });
            stream.addEventListener("end", event => end(Number(event.data)));
            stream.addEventListener("quit", () => {
              [isOver, leaving, document.getElementById("page").textContent] = [true, true, body.dataset.quit];
              disconnect();
            });
            stream.onopen = () => { retry = 250; show(null); pump(); };
            stream.onerror = () => {
              // A stream that the server has refused does not come back by itself.
              disconnect();
              if (!document.hidden) show(body.dataset.lost);
              timer = setTimeout(connect, retry);
              retry = Math.min(retry * 2, 4000);
              ask().then(status => { if (status === 404 || status === 401) end(status); }, () => {});
            };
          }

          const ask = async () => (await fetch(`${base}/runs/${run}`, { credentials: "same-origin" })).status;

          function disconnect() { stream?.close(); stream = null; }

          // The run has ended on the server. A new one begins, with what was typed; a session that is over begins elsewhere
          // first, as by signing in in another tab, and until then the page stays as it is. Where there are accounts and
          // nothing is lost, the page becomes the form for signing in.
          async function end(status) {
            if (isOver) return;
            isOver = true;
            disconnect();
            const stays = body.dataset.account === undefined || isUploading || isUnsaved();
            for (; stays && status !== 404 && status !== 204; status = await ask().catch(() => 0)) {
              show(status === 0 ? body.dataset.lost : body.dataset.ended);
              await new Promise(done => setTimeout(done, 2000));
            }
            keep();
            leaving = true;
            location.reload();
          }

          const notice = make("p", { className: "lost", role: "status" });
          function show(text) {
            if (text && notice.textContent !== text) notice.textContent = text;
            if (text && !notice.isConnected) body.append(notice);
            else if (!text) notice.remove();
          }

          document.addEventListener("visibilitychange", () => document.hidden ? disconnect() : connect());
          addEventListener("online", connect);
          addEventListener("pagehide", () => { disconnect(); if (!leaving) keep(); });
          addEventListener("pageshow", event => event.persisted ? location.reload() : connect());

          // MARK: Patches

          function apply(patch) {
            version = patch.version;
            const parts = new Map(patch.parts.map(([id, source]) => [id, make("template", { innerHTML: source }).content.firstElementChild]));
            const removed = new Map(), used = new Set(), active = held || body, around = neighbours(active), screen = shownScreen();
            // What one reads stays where it is, also in browsers that do not see to that.
            const read = scrollY > 0 ? document.elementFromPoint(innerWidth / 2, innerHeight / 3)?.closest("#screen [id]:not(.stop)") : null;
            const topOfRead = read?.getBoundingClientRect().top;
            top = scrollY;
            // Moves what is in the document without taking it out, where browsers can: the focus and scroll positions stay.
            const place = (parent, node, next) => {
              if (parent.moveBefore && parent.isConnected && node.isConnected) parent.moveBefore(node, next);
              else parent.insertBefore(node, next);
            };
            // Puts the part that is marked before `next`: the element that is there, changed if the patch has it, or a new one.
            const put = (id, parent, next) => {
              const part = parts.get(id), isNew = part && !used.has(id);
              let there = removed.get(id) || document.getElementById(id);
              if (there?.contains(parent) || isNew && there && there.localName !== part.localName) there = null;
              if (!there && !isNew) return null;
              used.add(id);
              if (!there || there !== next) place(parent, there || part, next);
              if (there && isNew) morph(there, part);
              else if (isNew) fill(part);
              return there || part;
            };
            const fill = node => {
              for (const marked of [...node.querySelectorAll(mark)]) {
                put(marked.getAttribute("ref"), marked.parentNode, marked);
                marked.remove();
              }
            };
            const morph = (old, wanted) => {
              const before = valueOf(old), after = valueOf(wanted), children = [...wanted.childNodes];
              changeAttributes(old, wanted);
              const stay = new Set(children.filter(child => child.localName === mark).map(child => child.getAttribute("ref")));
              let next = old.firstChild;
              for (const child of children) {
                if (child.localName === mark) {
                  const id = child.getAttribute("ref"), there = document.getElementById(id);
                  while (next?.id && next.id !== id && !stay.has(next.id)) next = drop(next);
                  // What has the focus stays where it is, and the others move around it.
                  if (there?.parentNode === old && there.contains(active)) while (next && next !== there) next = drop(next);
                  const part = put(id, old, next);
                  if (part) next = part.nextSibling;
                  continue;
                }
                // An element without an ID is the next of its kind; those with one are never taken for another.
                let match = next;
                while (match && (match.id || match.nodeName !== child.nodeName)) match = match.nextSibling;
                if (match && match.nodeType === 3 && match !== next) match = null;
                if (!match) {
                  old.insertBefore(child, next);
                  if (child.nodeType === 1) fill(child);
                  continue;
                }
                while (next !== match && !(next.id && stay.has(next.id))) next = drop(next);
                if (next !== match) place(old, match, next);
                if (match.nodeType === 1) morph(match, child);
                else if (match.data !== child.data) match.data = child.data;
                next = match.nextSibling;
              }
              while (next) next = drop(next);
              if (after !== null) changeValue(old, before, after, patch.input);
            };
            const drop = node => {
              const after = node.nextSibling;
              if (node.nodeType === 1) for (const inner of [node, ...node.querySelectorAll("[id]")]) if (inner.id) removed.set(inner.id, inner);
              node.remove();
              return after;
            };
            isApplying = true;
            for (const [id] of patch.parts) {
              const there = used.has(id) ? null : document.getElementById(id);
              if (there && put(id, there.parentNode, there) !== there) there.remove();
            }
            const moved = read?.isConnected && screen === shownScreen() ? read.getBoundingClientRect().top - topOfRead : 0;
            if (moved) scrollBy({ top: moved, behavior: "instant" });
            if (document.title !== patch.title) document.title = patch.title;
            follow(patch);
            // A control that is off for a while has the focus again when it is on; a question gives it back itself.
            const waits = active.isConnected ? active.matches(":disabled") : active.closest(".question");
            if (active !== body && document.activeElement === body && screen === shownScreen() && !waits) {
              focusOn([() => active, ...around].map(find => find()).find(element => element?.isConnected && element.checkVisibility()));
            }
            isApplying = false;
            focusQuestion();
            if (saved && patch.input >= saved) focusProblem();
            watch();
            document.dispatchEvent(new Event("patched"));
          }

          // A form that was not saved shows why, at its first problem.
          let saved = 0;                    // the number of the input that saves
          function focusProblem() {
            const wrong = document.querySelector("#editor [aria-invalid=true]");
            saved = 0;
            (wrong?.matches(focusable) ? wrong : wrong?.querySelector(focusable))?.focus();
          }

          let isApplying = false, held = null;      // `held` is what has the focus for the person
          const focusOn = element => (element || document.getElementById("screen")).focus({ preventScroll: true });
          const shownScreen = () => document.getElementById("screen").firstElementChild?.id;
          const focusable = "a[href], button:not(:disabled), input:not([type=hidden], :disabled), select, textarea, summary";

          // Where the focus goes when its element is removed: what follows, or what is before, as near as possible.
          function neighbours(element) {
            const found = [], inside = (node, last) => () => {
              if (!node.isConnected) return null;
              if (node.matches(focusable)) return node;
              const all = [...node.querySelectorAll(focusable)].filter(element => element.checkVisibility());
              return last ? all.pop() : all[0];
            };
            for (let node = element; node && node !== body && node.id !== "page"; node = node.parentElement) {
              if (node.nextElementSibling) found.push(inside(node.nextElementSibling, false));
              if (node.previousElementSibling) found.push(inside(node.previousElementSibling, true));
              if (node !== element) found.push(inside(node, false));
            }
            return found;
          }

          function changeAttributes(old, wanted) {
            for (const { name } of [...old.attributes]) {
              // What the person has opened stays open.
              if (!wanted.hasAttribute(name) && !(name === "open" && old.localName === "details")) old.removeAttribute(name);
            }
            for (const { name, value } of wanted.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
          }

          // The value that the server has given a field; `null` for what is none.
          function valueOf(element) {
            if (element.localName === "textarea") return element.defaultValue;
            if (element.localName === "select") return (element.querySelector("option[selected]") || element.options[0])?.value ?? "";
            if (element.localName !== "input" || /^(file|submit|hidden)$/.test(element.type)) return null;
            return /^(checkbox|radio)$/.test(element.type) ? element.defaultChecked : element.defaultValue;
          }

          let composing = null;
          function changeValue(field, before, after, input) {
            // A password is in no page, and the theme is that of this browser.
            if (field.type === "password" || field.name === "theme") return;
            const property = typeof after === "boolean" ? "checked" : "value";
            if (field === composing || typed.get(field) > input || field[property] === after) return;
            // A field that the server does not follow keeps what was typed, until the server has something else.
            if (field.dataset.live === undefined && before === after) return;
            const isActive = field === document.activeElement && typeof field.selectionStart === "number";
            const { selectionStart, selectionEnd } = isActive ? field : {};
            field[property] = after;
            if (isActive) field.setSelectionRange(selectionStart, selectionEnd);
          }

          // MARK: Addresses

          // Each address that a person comes to is an entry of the history, another search and another day as well: each has an
          // answer to come back to. Of an entry that is left, the scroll position is kept, with the link that was followed.
          history.scrollRestoration = "manual";
          let address = location.pathname + location.search, top = 0, wantedTop = null;
          let going = 0;                    // the number of the input that tells of the last step back or forward
          let entry = history.state?.entry ?? Date.now();
          const left = new Map();           // where each entry was left, by its number

          const scrollToTop = top => {
            wantedTop = top;
            scrollTo({ top, left: 0, behavior: "instant" });
            if (Math.abs(scrollY - top) < 2) wantedTop = null;
          };

          function follow(patch) {
            // The page may grow only now to where it was scrolled to.
            if (wantedTop !== null) scrollToTop(wantedTop);
            const before = address, isGoing = going > 0;
            address = patch.address;
            // Answers to steps before the last one say nothing about the place where the browser is.
            if (patch.input < going) return;
            going = 0;
            document.getElementById("controls").action = address;
            const isThere = address === location.pathname + location.search;
            if (!isThere && isGoing && address !== before) history.replaceState(history.state, "", address);
            else if (!isThere) {
              leave();
              if (!isGoing) history.replaceState({ entry, top }, "");
              entry = Date.now();
              history.pushState({ entry }, "", address);
            }
            const path = text => text.split("?")[0];
            if (address === before || !isGoing && path(address) === path(before)) return;
            const place = isGoing ? left.get(entry) : null;
            scrollToTop(place?.top ?? (isGoing ? history.state?.top : 0) ?? 0);
            const link = place?.link && document.querySelector(`#screen a[href="${CSS.escape(place.link)}"]`);
            if (link || path(address) !== path(before)) focusOn(link);
          }

          function leave() {
            left.set(entry, { top, link: followed });
            followed = null;
          }

          addEventListener("popstate", event => {
            const wanted = location.pathname + location.search;
            if (wanted === address && !going) return;
            top = scrollY;
            leave();
            entry = event.state?.entry ?? 0;
            send([["history", wanted]]);
            going = lastNumber;
          });
          for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(kind, () => wantedTop = null, { passive: true });

          // MARK: What a person does

          // The second click of two means what the first one was at, and never what has come to its place.
          let clicked = null, followed = null;
          document.addEventListener("click", event => {
            if (event.detail <= 1) clicked = shownScreen();
            else if (clicked !== shownScreen()) { event.preventDefault(); event.stopImmediatePropagation(); }
          }, true);

          document.addEventListener("click", event => {
            const link = event.target.closest("a[href]"), href = link?.getAttribute("href");
            if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            // In a drawing, `link.target` and `link.href` are objects.
            if (link.getAttribute("target") || link.hasAttribute("download") || link.dataset.native !== undefined || link.dataset.picture !== undefined || href.startsWith("#")) return;
            const url = new URL(href, location);
            if (!`${url.origin}${url.pathname}/`.startsWith(`${base}/`)) return;
            event.preventDefault();
            followed = href;
            send([["go", url.pathname + url.search]]);
          });

          document.addEventListener("submit", event => {
            const form = event.target, button = event.submitter;
            if (form.dataset.native !== undefined) return;
            event.preventDefault();
            if (form.method === "get") {
              const query = new URLSearchParams(fields(form).filter(([, value]) => value !== ""));
              if (button?.name) query.append(button.name, button.value);
              closeMenu(form.closest("details.sheet"));
              send([["go", new URL(form.action).pathname + (query.size ? `?${query}` : "")]]);
            } else {
              const pairs = form.id === "controls" ? [] : fields(form);
              send([...pairs, ...(button?.name ? [[button.name, button.value]] : [])]);
              saved = button?.value === "save" ? lastNumber : 0;
            }
          });

          document.addEventListener("click", event => {
            const button = event.target.closest("[data-copy]");
            if (button) navigator.clipboard.writeText(new URL(button.dataset.copy, location)).then(() => button.textContent = button.dataset.copied, () => {});
          });

          const live = element => element.dataset?.live !== undefined && element.name;
          function sendField(element) {
            if (element.type === "checkbox") send([[element.name, element.checked ? element.value : ""]], element);
            else if (element.type !== "radio" || element.checked) send([[element.name, element.value]], element);
          }
          document.addEventListener("compositionstart", event => composing = event.target);
          for (const kind of ["compositionend", "input"]) document.addEventListener(kind, event => {
            if (kind === "compositionend") composing = null;
            if (live(event.target)) sendField(event.target);
          });
          document.addEventListener("change", event => {
            if (event.target.dataset?.submit !== undefined) event.target.form.requestSubmit();
            if (event.target.name === "theme") {
              document.documentElement.dataset.theme = event.target.value;
              try { localStorage.setItem("theme", event.target.value); } catch {}
            }
          });
          document.addEventListener("focusin", event => {
            held = event.target;
            if (isApplying) return;
            const question = document.querySelector(".question");
            if (question && !question.contains(event.target)) return question.querySelector("button")?.focus();
            if (event.target.dataset?.focus) send([["do", event.target.dataset.focus]]);
          });
          document.addEventListener("focusout", event => {
            const element = event.target, form = element.form;
            if (isApplying) return;
            held = null;
            if (element.dataset?.blur && !(form && form.contains(event.relatedTarget))) send([["do", element.dataset.blur]]);
          });

          function closeMenu(menu) {
            if (!menu) return;
            menu.open = false;
            menu.querySelector("summary").focus();
          }
          document.addEventListener("reset", event => closeMenu(event.target.closest("details.sheet")));

          // MARK: Keys

          const types = element => element?.isContentEditable || /^(input|textarea|select)$/.test(element?.localName) && !/^(checkbox|radio|button|submit|file)$/.test(element.type);
          // The letter on the key, in layouts of other letters, such as the Korean one.
          const letter = event => {
            if (!/^Key/.test(event.code) || /^[ -~]$/.test(event.key)) return event.key;
            return event.shiftKey ? event.code[3] : event.code[3].toLowerCase();
          };

          document.addEventListener("keydown", event => {
            if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
            const question = document.querySelector(".question"), dialog = document.querySelector("dialog[open]");
            if (dialog && !question) return;
            if (question && event.key === "Tab") {
              const inside = [...question.querySelectorAll(focusable)], at = inside.indexOf(document.activeElement);
              event.preventDefault();
              return inside.at((at + (event.shiftKey ? -1 : 1)) % inside.length)?.focus();
            }
            if (event.key === "Escape") {
              const menu = document.querySelector("details.sheet[open]"), cancel = question?.querySelector("[data-key=Escape]");
              if (cancel) cancel.click();
              else if (menu) closeMenu(menu);
              else if (types(event.target)) focusOn(null);
              else send([["do", "back"]]);
              return event.preventDefault();
            }
            if (types(event.target)) return;
            if (event.key === "?") { event.preventDefault(); return showKeys(); }
            const key = letter(event);
            const target = [...(question || document).querySelectorAll("[data-key]")].find(element => element.dataset.key === key && !element.disabled && element.checkVisibility());
            if (!target) return;
            event.preventDefault();
            types(target) ? target.focus() : target.click();
          });

          function showKeys() {
            const dialog = make("dialog", { className: "keys" }), list = make("dl"), shown = new Set();
            dialog.setAttribute("aria-labelledby", "keys-title");
            const add = (key, text) => {
              if (shown.has(key)) return;
              shown.add(key);
              list.append(make("dt", { textContent: { ArrowLeft: "←", ArrowRight: "→" }[key] || key }), make("dd", { textContent: text }));
            };
            for (const element of document.querySelectorAll("[data-key]")) {
              if (element.checkVisibility()) add(element.dataset.key, element.getAttribute("aria-label") || element.textContent || element.placeholder);
            }
            add("Escape", body.dataset.back);
            add("?", body.dataset.keys);
            dialog.onclose = () => dialog.remove();
            dialog.append(
              make("h2", { id: "keys-title", textContent: body.dataset.keys }), list,
              make("button", { textContent: body.dataset.close, onclick: () => dialog.close() }));
            body.append(dialog);
            dialog.showModal();
          }

          let asked = null;
          function focusQuestion() {
            const question = document.querySelector(".question");
            if (question && question !== asked?.question) {
              asked = { question, from: document.activeElement };
              question.querySelector("button")?.focus();
            } else if (!question && asked) {
              if (!document.activeElement.closest("#screen *")) focusOn(asked.from?.isConnected && asked.from !== body ? asked.from : null);
              asked = null;
            }
          }

          // MARK: The end of a list, and leaving

          const ends = new IntersectionObserver(entries => {
            for (const { isIntersecting, target } of entries) if (isIntersecting) send([["do", target.dataset.visible]]);
          }, { rootMargin: "600px" });
          let shownDay = null;
          // Observed anew: the end may still be visible.
          function watch() {
            const day = document.querySelector("#days [aria-current]");
            if (day && day.href !== shownDay) day.parentNode.scrollLeft = day.offsetLeft - (day.parentNode.clientWidth - day.offsetWidth) / 2;
            shownDay = day?.href;
            for (const choice of document.querySelectorAll("input[name=theme]")) choice.checked = choice.value === document.documentElement.dataset.theme;
            ends.disconnect();
            for (const element of document.querySelectorAll("[data-visible]")) ends.observe(element);
          }

          let leaving = false;
          const isUnsaved = () => document.getElementById("page").dataset.unsaved !== undefined;
          addEventListener("beforeunload", event => { if (!leaving && (isUploading || isUnsaved())) event.preventDefault(); });

          // What was typed survives a reload, in the tab alone.
          const nameOf = field => [field.form?.id, field.name, /^(checkbox|radio)$/.test(field.type) ? field.value : ""].join(" ");
          const texts = () => [...document.querySelectorAll("#screen :is(input, select, textarea)")].filter(field =>
            field.name && valueOf(field) !== null && field.type !== "password");
          const valueIn = field => /^(checkbox|radio)$/.test(field.type) ? field.checked : field.value;
          function keep() {
            const kept = texts().filter(field => isUnsaved() || valueIn(field) !== valueOf(field)).map(field => [nameOf(field), valueIn(field)]);
            const focus = document.activeElement, { selectionStart, selectionEnd } = focus;
            try { sessionStorage.setItem("typed", JSON.stringify({ address, top: scrollY, kept, focus: [focus.id, selectionStart, selectionEnd],
              files: [...arrived, ...uploads].map(({ file, kind }) => [kind, file.name]) })); } catch {}
          }
          function restore() {
            let state = {};
            try { state = JSON.parse(sessionStorage.getItem("typed") || "{}"); sessionStorage.removeItem("typed"); } catch {}
            if (state.address !== address || performance.getEntriesByType("navigation")[0]?.type === "navigate") return;
            // Their contents have gone with the page before: they are named, so that they can be chosen again.
            for (const [kind, name] of state.files ?? []) uploads.push({ file: { name }, kind, hasFailed: true });
            if (uploads.length > 0) { showImport(); showUploads(); }
            const values = new Map(state.kept);
            for (const field of texts()) {
              const value = values.get(nameOf(field));
              if (value === undefined || value === valueIn(field)) continue;
              field[typeof value === "boolean" ? "checked" : "value"] = value;
              if (live(field)) sendField(field);
            }
            scrollToTop(state.top);
            const [id, from, to] = state.focus, focus = id && document.getElementById(id);
            if (!focus) return;
            focus.focus({ preventScroll: true });
            if (typeof from === "number") focus.setSelectionRange(from, to);
          }

          // MARK: Files: pictures and tracks, chosen, dropped or pasted, sent one after another; pictures are ordered by dragging

          const uploads = [];               // the files that wait, are being sent, or could not be
          const arrived = [];               // the files of an import that wait on the server for the others
          let isUploading = false, savingButton = null, dragged = null;
          const fileFields = () => [...document.querySelectorAll("input[data-upload]")];
          const hasFiles = event => event.dataTransfer?.types.includes("Files") && !dragged && fileFields().length > 0;

          function upload(list, chosenIn) {
            const used = [], last = fileFields().pop();
            for (const file of list) {
              const takes = field => field.accept.split(",").some(end => end === file.type || file.name.toLowerCase().endsWith(end));
              // Of a form and an import beside it, one picture is for the form, and several files are a trip.
              const field = chosenIn ?? fileFields().filter(takes).at(list.length > 1 ? 0 : -1) ?? last;
              const { upload: kind, limit, trip = "" } = field?.dataset ?? {};
              if (!kind || !field.multiple && used.includes(field)) continue;
              used.push(field);
              uploads.push({ file, kind, limit, trip, screen: field.closest("[id^=screen-]").id.slice("screen-".length), sent: 0, tries: 0 });
            }
            showImport();
            if (chosenIn) chosenIn.value = "";
            sendFiles();
          }

          function showImport() {
            const menu = uploads.some(file => file.kind === "files") && document.getElementById("import-menu");
            if (!menu) return;
            menu.open = true;
            menu.scrollIntoView({ block: "nearest", behavior: "instant" });
          }

          async function sendFiles() {
            if (isUploading) return;
            isUploading = true;
            for (let next; (next = uploads.find(file => !file.hasFailed)); showUploads()) {
              showUploads();
              const isOpen = () => next.kind === "files" || document.getElementById(`screen-${next.screen}`);
              const status = isOpen() ? await sendFile(next) : 404;
              if ((status === 429 || status === 503) && ++next.tries < 8) await new Promise(done => setTimeout(done, 500 * next.tries));
              else if (status === 204 || status === 422 || !isOpen()) remove(next);
              else next.hasFailed = true;
              // The form is not saved before its author has seen what is wrong.
              if (status !== 204 && status !== 429 && status !== 503) savingButton = null;
            }
            isUploading = false;
            const button = savingButton;
            savingButton = null;
            if (button?.isConnected) button.click();
          }

          // The files of an import wait on the server until all of them are there.
          function remove(file) {
            if (!uploads.includes(file)) return;
            uploads.splice(uploads.indexOf(file), 1);
            if (file.kind !== "files" || !file.screen) return;
            if (!file.hasFailed) arrived.push(file);
            if (uploads.some(other => other.kind === "files" && other.screen === file.screen)) return;
            forget(file.screen);
            const menu = document.getElementById("import-menu");
            if (menu) menu.open = false;
            send([["do", `import ${file.screen} ${file.trip}`.trim()]]);
          }

          function forget(batch) { arrived.splice(0, arrived.length, ...arrived.filter(file => file.screen !== batch)); }

          document.addEventListener("click", event => {
            if (event.target.id !== "cancel-import") return;
            const files = uploads.filter(file => file.kind === "files");
            for (const file of files) {
              uploads.splice(uploads.indexOf(file), 1);
              file.request?.abort();
            }
            for (const batch of new Set(files.map(file => file.screen))) {
              forget(batch);
              if (batch) send([["do", `cancel-import ${batch}`]]);
            }
            showUploads();
          });

          function sendFile(next) {
            const query = new URLSearchParams({ [next.kind === "files" ? "batch" : "screen"]: next.screen, name: next.file.name });
            const isTooLarge = next.file.size > Number(next.limit);
            if (isTooLarge) query.set("size", next.file.size);
            return new Promise(done => {
              const request = next.request = new XMLHttpRequest();
              request.open("POST", `${base}/runs/${run}/${next.kind}?${query}`);
              request.setRequestHeader("X-Token", token);
              request.upload.onprogress = event => { next.sent = event.loaded / event.total; showUploads(); };
              request.onloadend = () => done(request.status);
              request.send(isTooLarge ? null : next.file);
            });
          }

          function showUploads() {
            const button = (textContent, onclick) => make("button", { type: "button", className: "plain", textContent, onclick });
            for (const { dataset: texts } of fileFields()) document.getElementById(`uploads-${texts.upload}`).replaceChildren(...uploads.filter(file => file.kind === texts.upload).map(file => {
              const item = make("li"), name = file.file.name;
              item.append(make("bdi", { textContent: name }), " ");
              if (!file.hasFailed) item.append(make("progress", { value: file.sent, ariaLabel: name }));
              else {
                item.className = "problem";
                item.append(texts.failed);
                if (file.screen) item.append(button(texts.retry, () => { file.hasFailed = false; file.sent = 0; sendFiles(); }));
                item.append(button(texts.close, () => { remove(file); showUploads(); }));
              }
              return item;
            }));
          }

          document.addEventListener("change", event => { if (event.target.dataset?.upload !== undefined) upload(event.target.files, event.target); });
          document.addEventListener("paste", event => {
            const { files, types } = event.clipboardData;
            if (!files.length || types.includes("text/plain") || !fileFields().length) return;
            event.preventDefault();
            upload(files);
          });
          document.addEventListener("submit", event => {
            if (!isUploading || event.submitter?.value !== "save") return;
            event.preventDefault();
            event.stopImmediatePropagation();
            savingButton = event.submitter;
          }, true);

          const item = event => event.target.closest?.("[data-item]");
          document.addEventListener("dragstart", event => { dragged = event.target.localName === "img" && item(event) || null; });
          document.addEventListener("dragend", () => dragged = null);
          const dropping = isOver => document.documentElement.classList.toggle("dropping", isOver);
          document.addEventListener("dragover", event => { if (dragged && item(event) || hasFiles(event)) event.preventDefault(); dropping(!!hasFiles(event)); });
          for (const kind of ["dragleave", "drop"]) document.addEventListener(kind, event => { if (kind === "drop" || !event.relatedTarget) dropping(false); });
          document.addEventListener("drop", event => {
            const place = item(event);
            if (dragged && place) send([["do", `move ${dragged.dataset.item} ${[...place.parentNode.children].indexOf(place)}`]]);
            else if (hasFiles(event)) upload(event.dataTransfer.files);
            else return;
            event.preventDefault();
            dragged = null;
          });

          document.addEventListener("focusout", event => { if (event.target.dataset?.left !== undefined) send([["do", `left ${event.target.name}`]]); });
          document.addEventListener("keydown", event => {
            const save = event.key === "s" && (event.ctrlKey || event.metaKey) && document.querySelector("#editor-buttons [value=save]");
            if (!save) return;
            event.preventDefault();
            save.click();
          });

          restore();
          history.replaceState({ ...history.state, entry }, "");
          watch();
          focusQuestion();
          connect();
        });
        """#
}
