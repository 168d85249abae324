// EventSource reads events, and connects again with Last-Event-ID when the stream ends.
import { browse } from './browser.mjs';

await browse(`${process.argv[2]}/`, async (page) => {
  const ids = await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const ids = [];
        const source = new EventSource('events');
        setTimeout(() => reject(new Error(`only the events ${ids}`)), 20_000);
        source.addEventListener('tick', (event) => {
          ids.push(Number(event.lastEventId));
          if (ids.length === 12) {
            source.close();
            resolve(ids);
          }
        });
      }),
  );
  if (ids.some((id, place) => id !== place)) {
    throw new Error(`events ${ids} (expected: 0 to 11)`);
  }
  return '12 events over 3 connections';
});
