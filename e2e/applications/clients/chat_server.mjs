// Answers each message with it and the port of this node. Arguments: port, prefix.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const [port, prefix = ''] = process.argv.slice(2);
const server = createServer((_, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end(`<!doctype html><title>chat</title><script src="${prefix}/socket.io/socket.io.js"></script>`);
});
new Server(server, { path: `${prefix}/socket.io/`, maxHttpBufferSize: 5_000_000 }).on('connection', (socket) => {
  socket.on('message', (message, answer) => answer({ port, message }));
});
server.listen(Number(port), '127.0.0.1');
