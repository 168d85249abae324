// The client of socket.io in the page begins with polling and switches to WebSocket.
import { browse } from './browser.mjs';

await browse(`${process.argv[2]}/`, async (page) => {
  const path = `${new URL(process.argv[2]).pathname.replace(/\/$/, '')}/socket.io/`;
  const answer = await page.evaluate(async (path) => {
    const socket = window.io({ path, reconnection: false });
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    if (socket.io.engine.transport.name === 'polling') {
      await new Promise((resolve) => socket.io.engine.once('upgrade', resolve));
    }
    return socket.timeout(20_000).emitWithAck('message', 'of a browser');
  }, path);
  if (answer.message !== 'of a browser') {
    throw new Error(`answer ${JSON.stringify(answer)}`);
  }
  return 'upgraded';
});
