// Subscribes by the client of graphql-ws in the page.
import { browse } from './browser.mjs';

const url = process.argv[2];
await browse(`${url}/`, async (page) => {
  const counts = await page.evaluate(
    (address) =>
      new Promise((resolve, reject) => {
        const client = window.graphqlWs.createClient({ url: address, retryAttempts: 0 });
        const counts = [];
        client.subscribe(
          { query: 'subscription { count(to: 50) }' },
          {
            next: ({ data }) => counts.push(data.count),
            error: (error) => reject(error instanceof Error ? error : new Error(`closed: ${error.code} ${error.reason}`)),
            complete: () => resolve(counts),
          },
        );
      }),
    `${url.replace('http', 'ws')}/graphql`,
  );
  if (counts.length !== 50) {
    throw new Error(`counts ${counts}`);
  }
  return 'a subscription of 50 values';
});
