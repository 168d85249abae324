const STORAGE_KEY = 'sigma.place';
/** A page that was not as long as before until then has changed. */
const GIVE_UP_MILLIS = 10_000;
/** Rows that are rendered later may be higher than the room that was kept for them. */
const SETTLE_MILLIS = 1_000;

/** After a load of the same page again, goes to the place where it was left. The router does so before the rows are there. */
export function keepPlaceOverReloads(): void {
  addEventListener('pagehide', () =>
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([location.href, scrollY])),
  );
  const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
  const [href, y] = Array.isArray(kept) ? (kept as unknown[]) : [];
  const isReload = performance
    .getEntriesByType('navigation')
    .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'reload');
  if (isReload && href === location.href && typeof y === 'number' && y > 0) {
    goOnceItIsThere(y);
  }
}

function goOnceItIsThere(y: number): void {
  const stop = new AbortController();
  const end = () => {
    stop.abort();
    observer.disconnect();
  };
  let waiting = window.setTimeout(end, GIVE_UP_MILLIS);
  let reached = false;
  const observer = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight < y + innerHeight) {
      return;
    }
    scrollTo({ top: y, behavior: 'instant' });
    if (!reached) {
      reached = true;
      window.clearTimeout(waiting);
      waiting = window.setTimeout(end, SETTLE_MILLIS);
    }
  });
  observer.observe(document.body);
  // Whoever does something already stays where it is done.
  for (const type of ['wheel', 'keydown', 'pointerdown', 'touchstart']) {
    addEventListener(type, end, { signal: stop.signal, passive: true });
  }
}
