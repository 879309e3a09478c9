"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  // Theme: what the system says, until the button says otherwise.
  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const label = () => { button.textContent = isDark() ? "Light theme" : "Dark theme"; };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  system.addEventListener("change", label);
  label();

  // Workloads of a node beyond the first few: numbers in the row, names once in the page.
  const names = JSON.parse(document.getElementById("workloads")?.textContent || "[]");
  const hiddenPods = (element) =>
    element.dataset.pods.split(" ").map((pair) => {
      const [place, count] = pair.split(":");
      return `${Number(count).toLocaleString("en")} \u00d7 ${names[place]}`;
    });
  document.addEventListener("click", (event) => {
    const more = event.target.closest("button[data-pods]");
    if (!more) return;
    const rest = document.createElement("bdi");
    rest.textContent = hiddenPods(more).join(", ");
    rest.tabIndex = -1;
    more.replaceWith(rest);
    rest.focus();
  });

  // Rows beyond the first come when they are asked for.
  const shown = new Map();
  for (const reveal of all("button[data-table]")) {
    const table = document.getElementById(reveal.dataset.table);
    shown.set(table, all("tbody[hidden]", table));
    reveal.hidden = false;
    reveal.addEventListener("click", () => {
      const rest = shown.get(table);
      shown.set(table, []);
      for (const part of rest) part.hidden = false;
      reveal.parentElement.hidden = true;
      rest[0]?.rows[0]?.cells[0]?.setAttribute("tabindex", "-1");
      rest[0]?.rows[0]?.cells[0]?.focus();
    });
  }

  // Search and filter: every word has to be somewhere in a row, and the row has to be of the NodePool that is chosen, if it is
  // of any. What rows say is read at the first search.
  const box = document.getElementById("search");
  const choice = document.getElementById("pool");
  const told = document.getElementById("found");
  let rows;
  const groupsOf = (element) => {
    const group = element.parentElement?.closest("[data-group]");
    return group ? [...groupsOf(group), group.dataset.group] : [];
  };
  const columnOf = (table) => [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === "NodePool");
  const readTable = (table) => {
    const column = columnOf(table);
    return [...table.tBodies].flatMap((body) => [...body.rows]).map((element) => {
      const more = element.querySelector("button[data-pods]");
      const text = `${element.textContent} ${more ? hiddenPods(more).join(" ") : ""}`;
      return { element, text, pool: column < 0 ? undefined : element.cells[column].textContent, counts: true };
    });
  };
  const readTile = (element) => {
    const groups = groupsOf(element);
    return { element, text: `${groups.join(" ")} ${element.textContent}`, pool: groups[0], counts: false };
  };
  const readWait = (element) => ({ element, text: element.textContent, counts: true });
  const read = () =>
    [...all("table[id]").flatMap(readTable), ...all(".tiles > li").map(readTile), ...all(".wait").map(readWait)].map((row) => ({
      ...row,
      text: row.text.toLowerCase().replace(/\s+/g, " "),
    }));
  const search = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const pool = choice?.value ?? "";
    const asked = words.length > 0 || pool !== "";
    rows ??= read();
    let found = 0;
    let total = 0;
    for (const row of rows) {
      const fits = (!pool || (row.pool ?? pool) === pool) && words.every((word) => row.text.includes(word));
      row.element.hidden = !fits;
      total += row.counts ? 1 : 0;
      found += row.counts && fits ? 1 : 0;
    }
    for (const [table, rest] of shown) {
      for (const part of rest) part.hidden = !asked;
      const reveal = document.querySelector(`button[data-table="${table.id}"]`);
      reveal.parentElement.hidden = asked || !rest.length;
    }
    for (const group of all("[data-group]")) {
      const members = all(".tiles > li", group);
      group.hidden = members.length > 0 && members.every((member) => member.hidden);
    }
    told.value = asked ? `${found.toLocaleString("en")} of ${total.toLocaleString("en")} rows` : "";
  };
  let waiting;
  if (document.querySelector("table[id], .tiles, .wait")) box.closest("[hidden]").removeAttribute("hidden");
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 80);
  });
  choice?.addEventListener("change", search);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target === box) {
      box.value = "";
      search();
    }
  });

  // What a link leads to is open.
  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) {
      target.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", open);
  open();

  // On paper nothing can be opened.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });
})();
