"use strict";
(() => {
  // What was typed stays over a new page; where one was is kept by the browser.
  const box = document.getElementById("search");
  const kept = sessionStorage.getItem("search");
  if (box && kept) {
    box.value = kept;
    box.dispatchEvent(new Event("input"));
  }
  const theme = sessionStorage.getItem("theme");
  if (theme && theme !== (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) {
    document.getElementById("theme").click();
  }
  const choice = document.getElementById("pool");
  const pool = sessionStorage.getItem("pool");
  if (choice && pool) {
    choice.value = pool;
    if (choice.selectedIndex < 0) choice.value = "";
    choice.dispatchEvent(new Event("change"));
  }
  let shown;
  new EventSource("changes").addEventListener("message", (event) => {
    shown ??= event.data;
    document.documentElement.dataset.version = shown;
    if (event.data === shown) return;
    if (choice) sessionStorage.setItem("pool", choice.value);
    if (box) sessionStorage.setItem("search", box.value);
    if (document.documentElement.dataset.theme) sessionStorage.setItem("theme", document.documentElement.dataset.theme);
    location.reload();
  });
})();
