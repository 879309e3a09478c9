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

  // Tables. A unit is what is sorted, searched and shown as a whole: a row, or a group of nodes with the rows that it opens to.
  const valueOf = (cell) => {
    const text = cell.textContent.trim();
    const number = parseFloat(text.replace(/[$,]/g, ""));
    return /^[$\d.,-]/.test(text) && !Number.isNaN(number) ? number : text === "unknown" || text === "-" ? -Infinity : text.toLowerCase();
  };
  const pods = (element) => all("button[data-pods]", element).map((more) => hiddenPods(more).join(" ")).join(" ");
  const textOf = (...elements) => elements.map((one) => `${one.textContent} ${pods(one)}`).join(" ").toLowerCase().replace(/\s+/g, " ");
  const tables = all("table[id]").map((table) => {
    const grouped = table.classList.contains("groups");
    const bodies = [...table.tBodies];
    const reveal = document.querySelector(`button[data-table="${table.id}"]`);
    const beyond = bodies.filter((body) => body.hidden);
    const sizes = bodies.map((body) => body.rows.length);
    const headers = [...(table.tHead?.rows[0].cells ?? [])];
    const column = headers.findIndex((cell) => cell.textContent === "NodePool");
    const limit = !reveal ? Infinity : grouped ? Number(table.dataset.shown) : bodies[0].rows.length;
    return { table, grouped, bodies, beyond, sizes, headers, column, reveal, limit };
  });
  const unitsOf = (sheet) => (sheet.grouped ? sheet.bodies : sheet.bodies.flatMap((body) => [...body.rows]));
  const firstRow = (sheet, unit) => (sheet.grouped ? unit.rows[0] : unit);

  const sort = (sheet, at) => {
    const header = sheet.headers[at];
    const units = unitsOf(sheet).map((unit) => ({ unit, value: valueOf(firstRow(sheet, unit).cells[at]) }));
    const numbers = units.some(({ value }) => typeof value === "number" && value !== -Infinity);
    const down = header.ariaSort ? header.ariaSort === "ascending" : numbers;
    const order = (a, b) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1);
    units.sort((a, b) => (down ? order(b.value, a.value) : order(a.value, b.value)));
    for (const other of sheet.headers) other.removeAttribute("aria-sort");
    header.ariaSort = down ? "descending" : "ascending";
    if (sheet.grouped) {
      sheet.bodies = units.map(({ unit }) => unit);
      sheet.table.append(...sheet.bodies);
    } else {
      let from = 0;
      sheet.bodies.forEach((body, place) => {
        body.append(...units.slice(from, from + sheet.sizes[place]).map(({ unit }) => unit));
        from += sheet.sizes[place];
      });
    }
    search();
  };
  for (const sheet of tables) {
    if (unitsOf(sheet).length < 3 || sheet.table.classList.contains("week")) continue;
    sheet.headers.forEach((header, at) => {
      const title = header.textContent;
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "sort", ariaLabel: `Sort by ${title}` });
      header.append(button);
      header.classList.add("sorts");
      header.addEventListener("click", () => sort(sheet, at));
    });
  }

  // Groups open to their nodes.
  const isOpen = (body) => body.querySelector(".toggle")?.ariaExpanded === "true";
  const setOpen = (body, open) => {
    body.querySelector(".toggle").ariaExpanded = String(open);
    for (const row of [...body.rows].slice(1)) row.hidden = !open;
  };
  for (const body of tables.filter((sheet) => sheet.grouped).flatMap((sheet) => sheet.bodies)) {
    const [sum, first] = body.rows;
    const button = document.createElement("button");
    const cells = [...sum.cells].slice(0, 3).map((cell) => cell.firstChild?.textContent.trim());
    Object.assign(button, { type: "button", className: "toggle", ariaLabel: `Nodes of ${cells.join(" ")}`, ariaExpanded: String(!first.hidden) });
    sum.cells[0].prepend(button);
    button.addEventListener("click", () => setOpen(body, !isOpen(body)));
  }

  // Rows beyond the first come when they are asked for.
  for (const sheet of tables.filter((one) => one.reveal)) {
    sheet.reveal.hidden = false;
    sheet.reveal.addEventListener("click", () => {
      const next = unitsOf(sheet)[sheet.limit];
      sheet.limit = Infinity;
      search();
      const cell = firstRow(sheet, next).cells[0];
      cell.setAttribute("tabindex", "-1");
      cell.focus();
    });
  }

  // The map: its colours by another resource, and the row that a part of it belongs to.
  for (const choice of all(".choice")) choice.hidden = false;
  document.addEventListener("click", (event) => {
    const by = event.target.closest("button[data-by]");
    if (by) {
      for (const other of all("button[data-by]", by.parentElement)) other.ariaPressed = String(other === by);
      by.closest(".map").querySelector(".treemap").setAttribute("class", `treemap by-${by.dataset.by}`);
    }
    const row = document.getElementById(event.target.closest("[data-to]")?.dataset.to ?? "");
    if (!row) return;
    row.hidden = false;
    setOpen(row, true);
    row.scrollIntoView({ block: "center" });
    row.querySelector(".toggle").focus({ preventScroll: true });
  });

  // Search and filter: every word has to be somewhere in a row, and the row has to be of the NodePool that is chosen, if it is
  // of any. What rows say is read at the first search.
  const box = document.getElementById("search");
  const choice = document.getElementById("pool");
  const status = document.getElementById("found");
  const texts = new Map();
  const logs = all(".log").map((log) => {
    const text = log.querySelector("pre");
    return { log, text, lines: text.textContent.split("\n") };
  });
  const textIn = (element, ...parts) => {
    if (!texts.has(element)) texts.set(element, textOf(...(parts.length ? parts : [element])));
    return texts.get(element);
  };
  const searchGroup = (unit, words, pool, fitsPool) => {
    const sum = unit.rows[0];
    const nodes = [...unit.rows].slice(1).filter((row) => !row.querySelector(".choices"));
    const fitting = nodes.filter((row) => fitsPool && words.every((word) => textIn(row, sum, row).includes(word)));
    const opened = isOpen(unit) || (words.length > 0 && !words.every((word) => textIn(sum).includes(word)));
    for (const row of nodes) row.hidden = !opened || !fitting.includes(row);
    for (const row of [...unit.rows].slice(1 + nodes.length)) row.hidden = !isOpen(unit);
    return { fits: fitting.length > 0, found: fitting.length, total: nodes.length };
  };
  const searchTable = (sheet, words, pool, asked) => {
    let found = 0;
    let total = 0;
    unitsOf(sheet).forEach((unit, place) => {
      const cell = firstRow(sheet, unit).cells[sheet.column];
      const fitsPool = !pool || sheet.column < 0 || cell.textContent === pool;
      if (sheet.grouped) {
        const group = searchGroup(unit, words, pool, fitsPool);
        unit.hidden = !group.fits || (!asked && place >= sheet.limit);
        found += group.found;
        total += group.total;
        return;
      }
      const fits = fitsPool && words.every((word) => textIn(unit).includes(word));
      unit.hidden = !fits;
      found += fits ? 1 : 0;
      total += 1;
    });
    if (!sheet.grouped) for (const part of sheet.beyond) part.hidden = !asked && sheet.limit < Infinity;
    if (sheet.reveal) sheet.reveal.parentElement.hidden = asked || sheet.limit === Infinity;
    return [found, total];
  };
  const search = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const pool = choice?.value ?? "";
    const asked = words.length > 0 || pool !== "";
    const counts = tables.map((sheet) => searchTable(sheet, words, pool, asked));
    for (const wait of all(".wait")) {
      wait.hidden = !words.every((word) => textIn(wait).includes(word));
      counts.push([wait.hidden ? 0 : 1, 1]);
    }
    for (const { log, text, lines } of logs) {
      const fitting = lines.filter((line) => words.every((word) => line.toLowerCase().includes(word)));
      text.textContent = fitting.join("\n");
      log.hidden = fitting.length === 0;
      counts.push([fitting.length, lines.length]);
    }
    if (asked) for (const folded of all(".folded")) folded.open = all(".wait", folded).some((wait) => !wait.hidden);
    for (const cell of all(".treemap .cell")) {
      const row = document.getElementById(cell.dataset.to ?? "");
      const text = textIn(cell);
      const fits = row ? !row.hidden || !asked : words.every((word) => text.includes(word)) && (!pool || text.startsWith(`${pool.toLowerCase()} `));
      cell.classList.toggle("off", asked && !fits);
    }
    const [found, total] = counts.reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
    status.value = asked ? `${found.toLocaleString("en")} of ${total.toLocaleString("en")} rows` : "";
  };
  let waiting;
  if (document.querySelector("table[id], .wait")) box.closest("[hidden]").removeAttribute("hidden");
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

  // On a narrow screen each row is a card, whose values need the names of their columns.
  const narrow = matchMedia("(max-width: 46rem)");
  const cards = () => {
    if (!narrow.matches) return;
    for (const { table, headers } of tables) {
      if (table.classList.contains("cards")) continue;
      table.classList.add("cards");
      const titles = headers.map((header) => header.textContent);
      for (const row of table.rows) {
        if (row.parentElement === table.tHead) continue;
        let at = 0;
        for (const cell of row.cells) {
          if (cell.tagName === "TD" && cell.colSpan === 1) cell.dataset.label = titles[at];
          cell.classList.toggle("blank", cell.tagName === "TD" && /^\s*-?\s*$/.test(cell.textContent));
          at += cell.colSpan;
        }
      }
    }
  };
  narrow.addEventListener("change", cards);
  cards();

  // Charts over time. Dragging over one zooms in on a part of it; so do + and - and the arrows. All charts of a group follow.
  const HOURS = [1, 2, 3, 6, 12, 24, 48, 96, 168, 336, 672];
  const zoomed = (group, charts) => {
    const { start, hours } = charts[0].dataset;
    const end = Number(hours);
    const first = Number(start) / 3600;
    let [from, until] = [0, end];
    const whole = document.createElement("button");
    whole.type = "button";
    whole.textContent = "Whole time";
    const shown = document.createElement("span");
    shown.setAttribute("role", "status");
    const line = document.createElement("p");
    line.className = "quiet zoom";
    line.append(shown, whole);
    group.before(line);
    const atHour = (hour) => new Date((first + hour) * 3600000).toISOString();
    const inWords = (hour) => `${atHour(hour).slice(0, 10)} ${atHour(hour).slice(11, 16)}Z`;
    const show = () => {
      for (const chart of charts) {
        const plot = chart.querySelector(".plot");
        const [x, wide] = [plot.x.baseVal.value, plot.width.baseVal.value];
        const box = plot.viewBox.baseVal;
        const room = wide / (until - from);
        const step = HOURS.find((each) => each * room >= 64) ?? HOURS.at(-1);
        const sample = chart.querySelector(".times text") ?? chart.querySelector("text");
        const times = [];
        for (let hour = Math.ceil((first + from) / step) * step - first; hour <= until; hour += step) {
          const text = sample.cloneNode();
          text.setAttribute("x", (x + (hour - from) * room).toFixed(1));
          const at = new Date((first + hour) * 3600000);
          const day = at.toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
          text.textContent = step >= 24 || at.getUTCHours() === 0 ? day : atHour(hour).slice(11, 16);
          times.push(text);
        }
        chart.querySelector(".times").replaceChildren(...times);
        [box.x, box.width] = [x + (from / end) * wide, ((until - from) / end) * wide];
      }
      const isWhole = from === 0 && until === end;
      whole.hidden = isWhole;
      shown.textContent = isWhole ? "Drag over a chart to zoom in, or use + and \u2212." : `${inWords(from)} to ${inWords(until)}`;
    };
    const look = (at, length) => {
      const span = Math.min(end, Math.max(1, Math.round(length)));
      from = Math.min(end - span, Math.max(0, Math.round(at)));
      until = from + span;
      show();
    };
    whole.addEventListener("click", () => { look(0, end); group.focus(); });
    const moves = {
      "+": () => look(from + (until - from) / 4, (until - from) / 2),
      "-": () => look(from - (until - from) / 2, (until - from) * 2),
      ArrowLeft: () => look(from - (until - from) / 4, until - from),
      ArrowRight: () => look(from + (until - from) / 4, until - from),
      Escape: () => look(0, end),
    };
    moves["="] = moves["+"];
    group.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !moves[event.key]) return;
      if (event.key.startsWith("Arrow") && until - from === end) return;
      event.preventDefault();
      moves[event.key]();
    });
    for (const chart of charts) {
      const plot = chart.querySelector(".plot");
      const [x, wide] = [plot.x.baseVal.value, plot.width.baseVal.value];
      const hourAt = (event) => {
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
        return from + Math.min(1, Math.max(0, (point.x - x) / wide)) * (until - from);
      };
      let begun = null;
      let mark = null;
      const ended = () => { mark?.remove(); begun = mark = null; };
      chart.classList.add("zooms");
      chart.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        begun = hourAt(event);
        chart.setPointerCapture(event.pointerId);
        mark = document.createElementNS(chart.namespaceURI, "rect");
        mark.classList.add("range");
        for (const side of ["y", "height"]) mark.setAttribute(side, plot.getAttribute(side));
        chart.append(mark);
        event.preventDefault();
        group.focus({ preventScroll: true });
      });
      chart.addEventListener("pointermove", (event) => {
        if (begun === null) return;
        const [low, high] = [begun, hourAt(event)].sort((a, b) => a - b);
        mark.setAttribute("x", x + ((low - from) / (until - from)) * wide);
        mark.setAttribute("width", ((high - low) / (until - from)) * wide);
      });
      chart.addEventListener("pointerup", (event) => {
        if (begun === null) return;
        const [low, high] = [begun, hourAt(event)].sort((a, b) => a - b);
        const isDrag = (high - low) / (until - from) > 0.02;
        ended();
        if (isDrag) look(Math.floor(low), Math.ceil(high) - Math.floor(low));
      });
      chart.addEventListener("pointercancel", ended);
      chart.addEventListener("dblclick", () => look(0, end));
    }
    show();
  };
  for (const group of all(".charts")) {
    const charts = all(".chart[data-hours]", group);
    if (charts.length && Number(charts[0].dataset.hours) > 1) zoomed(group, charts);
  }

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
