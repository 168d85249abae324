// Runs 20 subscriptions at a time over one WebSocket. Argument: URL.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const client = createClient({ url: `${process.argv[2].replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket, retryAttempts: 0 });
const one = () =>
  new Promise((resolve, reject) => {
    const counts = [];
    client.subscribe(
      { query: 'subscription { count(to: 50) }' },
      { next: ({ data }) => counts.push(data.count), error: reject, complete: () => resolve(counts) },
    );
  });
const all = await Promise.all(Array.from({ length: 20 }, one));
if (all.some((counts) => counts.length !== 50 || counts.some((count, place) => count !== place + 1))) {
  throw new Error(`counts ${JSON.stringify(all)}`);
}
await client.dispose();
console.log('20 subscriptions of 50 values');
