// 10 clients begin with polling, switch to WebSocket and exchange messages. Argument: URL.
import { io } from 'socket.io-client';

const { origin, pathname } = new URL(process.argv[2]);
const path = `${pathname.replace(/\/$/, '')}/socket.io/`;
const large = 'x'.repeat(1_000_000);

async function chat(options) {
  const socket = io(origin, { path, forceNew: true, reconnection: false, ...options });
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  const isDone = options.transports !== undefined || socket.io.engine.transport.name === 'websocket';
  const upgraded = isDone || new Promise((resolve) => socket.io.engine.once('upgrade', resolve));
  for (const message of ['one', large]) {
    const answer = await socket.timeout(20_000).emitWithAck('message', message);
    if (answer.message !== message) {
      throw new Error('another message came back');
    }
  }
  await Promise.race([upgraded, new Promise((_, reject) => setTimeout(() => reject(new Error('no upgrade')), 20_000).unref())]);
  socket.close();
}

await Promise.all(Array.from({ length: 10 }, () => chat({})));
await Promise.all(Array.from({ length: 5 }, () => chat({ transports: ['polling'] })));
await Promise.all(Array.from({ length: 5 }, () => chat({ transports: ['websocket'] })));
console.log('10 clients upgraded, 5 polled, 5 began with WebSocket');
