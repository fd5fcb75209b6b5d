// While something is under way, the page is asked for again and its part #live is put in place of the old one.
// Without this script the page loads itself anew.
(function again() {
  const live = document.getElementById("live");
  if (!live || !live.dataset.again) return;
  setTimeout(async () => {
    try {
      const answer = await fetch(location.href, { credentials: "same-origin" });
      if (answer.redirected) { location.replace(answer.url); return; }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("live");
      if (!fresh) { location.reload(); return; }
      if (!fresh.dataset.again) { location.reload(); return; }
      const status = live.querySelector("[role=status]"), said = fresh.querySelector("[role=status]");
      if (status && said && status.textContent !== said.textContent) status.textContent = said.textContent;
    } catch { /* the app was stopped, and may come back */ }
    again();
  }, Number(live.dataset.again));
})();
