// Serves a subscription that counts, and the client's module for the browser. Arguments: port, prefix.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { GraphQLInt, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

const [port, prefix = ''] = process.argv.slice(2);
const to = { type: GraphQLInt };
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { one: { type: GraphQLInt, resolve: () => 1 } } }),
  subscription: new GraphQLObjectType({
    name: 'Subscription',
    fields: {
      count: {
        type: GraphQLInt,
        args: { to },
        async *subscribe(_, { to }) {
          for (let number = 1; number <= to; number++) {
            yield { count: number };
            await new Promise((next) => setTimeout(next, 20));
          }
        },
      },
    },
  }),
});

const require = createRequire(import.meta.url);
const umd = readFileSync(join(dirname(require.resolve('graphql-ws')), '..', 'umd', 'graphql-ws.js'), { flag: 'r' });
const server = createServer((request, response) => {
  const isScript = request.url === `${prefix}/graphql-ws.js`;
  response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' });
  response.end(isScript ? umd : `<!doctype html><title>graphql</title><script src="${prefix}/graphql-ws.js"></script>`);
});
useServer({ schema }, new WebSocketServer({ server, path: `${prefix}/graphql` }));
server.listen(Number(port), '127.0.0.1');
