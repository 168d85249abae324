/** Completes when the page can be seen, or the signal is aborted. */
export function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const look = () => {
      if (!document.hidden || signal.aborted) {
        listening.abort();
        resolve();
      }
    };
    document.addEventListener('visibilitychange', look, { signal: listening.signal });
    signal.addEventListener('abort', look, { signal: listening.signal });
    look();
  });
}

/** A signal that is aborted with the other one, or when nobody can see the page any more. End it in either case. */
export function whileVisible(signal: AbortSignal): {
  readonly signal: AbortSignal;
  readonly end: () => void;
} {
  const visible = new AbortController();
  const listening = new AbortController();
  const look = () => {
    if (document.hidden || signal.aborted) {
      visible.abort();
    }
  };
  document.addEventListener('visibilitychange', look, { signal: listening.signal });
  signal.addEventListener('abort', look, { signal: listening.signal });
  look();
  return { signal: visible.signal, end: () => listening.abort() };
}
