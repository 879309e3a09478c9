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

  // Search: every word has to be somewhere in a row; what rows say is read at the first search.
  const box = document.getElementById("search");
  const told = document.getElementById("found");
  let rows;
  const read = () =>
    all("table[id] > tbody > tr, .wait, .tiles > li").map((element) => {
      const more = element.querySelector("button[data-pods]");
      const parts = [element.textContent, more ? hiddenPods(more).join(" ") : ""];
      for (let group = element.closest("[data-group]"); group; group = group.parentElement.closest("[data-group]")) {
        parts.push(group.dataset.group);
      }
      return { element, text: parts.join(" ").toLowerCase().replace(/\s+/g, " "), counts: !element.matches(".tiles > li") };
    });
  const search = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    rows ??= read();
    let found = 0;
    let total = 0;
    for (const row of rows) {
      const fits = words.every((word) => row.text.includes(word));
      row.element.hidden = !fits;
      total += row.counts ? 1 : 0;
      found += row.counts && fits ? 1 : 0;
    }
    for (const [table, rest] of shown) {
      for (const part of rest) part.hidden = !words.length;
      const reveal = document.querySelector(`button[data-table="${table.id}"]`);
      reveal.parentElement.hidden = words.length > 0 || !rest.length;
    }
    for (const group of all("[data-group]")) {
      const members = all(".tiles > li", group);
      group.hidden = members.length > 0 && members.every((member) => member.hidden);
    }
    told.value = words.length ? `${found.toLocaleString("en")} of ${total.toLocaleString("en")} rows` : "";
  };
  let waiting;
  box.closest("[hidden]")?.removeAttribute("hidden");
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 80);
  });
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
