// Random pages of keyed items, changed by random patches: the page has to become the page rendered anew, and what stays has
// to be the same nodes. Runs in the page of the app, whose stream of patches is replaced: `arguments` are the seed, the
// number of pages, and a callback that gets what failed.
const [seed, count, done] = arguments;
const stream = window.streams.at(-1), failures = [];

let state = seed;
const random = limit => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor(state / 65536) % limit;
};

const names = ["ul", "div", "section", "span", "button", "details", "b"];
const attributes = ["class", "title", "data-x", "hidden"];
let lastID = 0;

// A tree: an element with an ID or without, text, or both mixed. Elements of one kind without ID are not told apart.
function tree(depth) {
  const node = { name: depth ? names[random(names.length)] : "div", attributes: {}, children: [] };
  if (random(3)) node.id = "node-" + ++lastID;
  // Two sibling texts would be one in the source.
  for (let count = depth > 3 || node.name === "button" ? 0 : random(5); count > 0; count--) node.children.push(random(4) ? tree(depth + 1) : "text " + random(9));
  if (random(3) === 0) node.attributes[attributes[random(attributes.length)]] = "value " + random(5);
  return node;
}

const all = (node, found = []) => {
  if (typeof node === "string") return found;
  found.push(node);
  for (const child of node.children) all(child, found);
  return found;
};

// Changes a copy of a tree: items are added, removed, moved, sorted, wrapped; attributes and texts change.
function changed(root) {
  const copy = structuredClone(root);
  for (let steps = 1 + random(6); steps > 0; steps--) {
    // Nothing is inside of a button.
    const nodes = all(copy).filter(node => node.name !== "button"), node = nodes[random(nodes.length)];
    switch (random(8)) {
      case 0: node.children.splice(random(node.children.length + 1), 0, tree(3)); break;
      case 1: node.children.splice(random(node.children.length + 1), 1); break;
      case 2: node.children.sort(() => random(3) - 1); break;
      case 3: node.children.reverse(); break;
      case 4: node.attributes[attributes[random(attributes.length)]] = "value " + random(5); break;
      case 5: node.attributes = {}; break;
      case 6: {
        // Into another parent, which may not be inside of it.
        const parent = nodes[random(nodes.length)], child = parent.children[random(parent.children.length || 1)];
        if (!child || typeof child === "string" || all(child).includes(node)) break;
        parent.children.splice(parent.children.indexOf(child), 1);
        node.children.splice(random(node.children.length + 1), 0, child);
        break;
      }
      case 7: {
        // Into a new element around it, or out of the one around it.
        const index = random(node.children.length || 1), child = node.children[index];
        if (!child || typeof child === "string") break;
        node.children.splice(index, 1, ...(random(2) ? [{ name: "div", id: "node-" + ++lastID, attributes: {}, children: [child] }] : child.children));
        break;
      }
    }
  }
  return copy;
}

const open = node => `<${node.name}${node.id ? ` id="${node.id}"` : ""}${Object.entries(node.attributes).map(([name, value]) => ` ${name}="${value}"`).join("")}>`;
// As text, with the attributes of each element in the order of their names.
function text(element) {
  const copy = element.cloneNode(true);
  for (const inner of copy.querySelectorAll("*")) {
    const sorted = [...inner.attributes].map(({ name, value }) => [name, value]).sort();
    for (const [name] of sorted) inner.removeAttribute(name);
    for (const [name, value] of sorted) inner.setAttribute(name, value);
  }
  return copy.innerHTML;
}
const inside = (node, write) => node.children.map(child => typeof child === "string" ? `${child}<!---->` : write(child)).join("");
const source = node => `${open(node)}${inside(node, source)}</${node.name}>`;

// The parts as the server makes them: each element with an ID, with marks for those inside of it.
function parts(node, found = []) {
  const write = node => {
    if (!node.id) return `${open(node)}${inside(node, write)}</${node.name}>`;
    parts(node, found);
    return `<page-part ref="${node.id}"></page-part>`;
  };
  const place = found.push(null) - 1;
  found[place] = [node.id, `${open(node)}${inside(node, write)}</${node.name}>`];
  return found;
}

const page = document.getElementById("screen").firstElementChild;
let version = Number(document.body.dataset.version), known = new Map();
function show(root) {
  const shell = { name: "div", id: page.id, attributes: {}, children: [root] };
  const wanted = parts(shell), sent = wanted.filter(([id, text]) => known.get(id) !== text);
  known = new Map(wanted);
  stream.emit("patch", { address: location.pathname + location.search, version: ++version, input: 0, title: "Test", parts: sent });
  const template = document.createElement("div");
  template.innerHTML = source(root);
  const found = text(page), rendered = text(template);
  return found === rendered ? null : `${found}\n  instead of\n${rendered}`;
}

for (let number = 0; number < count && failures.length < 3; number++) {
  let root = tree(0);
  root.id = "root-" + number;
  let failure = show(root);
  for (let step = 0; step < 8 && !failure; step++) {
    const before = new Map([...page.querySelectorAll("[id]")].map(element => [element.id, element]));
    const buttons = [...page.querySelectorAll("button[id]")].filter(element => element.checkVisibility());
    const focus = buttons.length ? buttons[random(buttons.length)] : null;
    focus?.focus();
    const opened = [...page.querySelectorAll("details[id]")].filter(() => random(2));
    for (const details of opened) details.open = true;
    const next = changed(root);
    // What is open is a state of the person, which the page rendered anew has not.
    const isOpen = new Set(opened.map(details => details.id));
    for (const node of all(next)) if (isOpen.has(node.id) && node.name === "details") node.attributes.open = "";
    failure = show(next);
    const kinds = new Map(all(root).map(node => [node.id, node.name]));
    for (const node of all(next)) {
      if (!node.id || kinds.get(node.id) !== node.name || failure) continue;
      // What has gone into what was inside of it, or the other way round, may be new.
      const element = document.getElementById(node.id);
      if (before.has(node.id) && element !== before.get(node.id)) failure = `${node.id} is another node`;
    }
    if (!failure && focus?.isConnected && focus.checkVisibility() && document.activeElement !== focus) failure = `${focus.id} has lost the focus`;
    if (!failure && focus && document.activeElement === document.body) failure = "the focus is lost";
    for (const node of all(next)) if (isOpen.has(node.id)) delete node.attributes.open;
    for (const details of page.querySelectorAll("details")) details.open = false;
    known.clear();
    root = next;
    if (failure) failures.push(`page ${number}, step ${step}: ${failure}`);
  }
}
done(failures);
