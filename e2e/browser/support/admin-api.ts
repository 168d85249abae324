import { environment } from './environment';

export type Resource = { readonly id: string } & Readonly<Record<string, unknown>>;

/** Creates or replaces a resource behind the dashboard's back, and waits until the gateways have it. */
export async function put(kind: string, resource: Resource): Promise<void> {
  await send('PUT', `${kind}/${resource.id}?wait=all`, resource);
}

/** Does operations on resources in one revision, and waits until the gateways have it. */
export async function batch(operations: readonly object[]): Promise<void> {
  await send('POST', 'batch?wait=all&timeout=60s', { operations });
}

export async function get(kind: string, id: string): Promise<Resource> {
  const response = await request('GET', `${kind}/${id}`);
  if (!response.ok) {
    throw new Error(`GET ${kind}/${id}: ${response.status} ${await response.text()}`);
  }
  return (await response.json()) as Resource;
}

export async function remove(kind: string, id: string): Promise<void> {
  await send('DELETE', `${kind}/${id}?wait=all`);
}

/** Also of what a test that failed has not come to create. */
export async function removeIfThere(kind: string, id: string): Promise<void> {
  const response = await request('DELETE', `${kind}/${id}?wait=all`);
  if (!response.ok && response.status !== 404) {
    throw new Error(`DELETE ${kind}/${id}: ${response.status} ${await response.text()}`);
  }
}

/** An upstream, a proxy pass, a proxy server, a router and a route, all with this prefix, ready for traffic. */
export async function putWholePath(prefix: string, port: number): Promise<void> {
  await put('upstreams', {
    id: `${prefix}-nodes`,
    name: 'Shop backends',
    nodes: [{ url: environment.upstreamUrl() }],
  });
  await put('proxy-passes', { id: `${prefix}-pass`, upstreamId: `${prefix}-nodes` });
  await put('proxy-servers', { id: `${prefix}-web`, port, host: '127.0.0.1' });
  await put('routers', { id: `${prefix}-router`, proxyServerId: `${prefix}-web` });
  await put('routes', {
    id: `${prefix}-route`,
    routerId: `${prefix}-router`,
    path: '/*',
    proxyPassId: `${prefix}-pass`,
  });
}

export async function removeWholePath(prefix: string): Promise<void> {
  await removeIfThere('routes', `${prefix}-route`);
  await removeIfThere('routers', `${prefix}-router`);
  await removeIfThere('proxy-servers', `${prefix}-web`);
  await removeIfThere('proxy-passes', `${prefix}-pass`);
  await removeIfThere('upstreams', `${prefix}-nodes`);
}

/** Somebody who can log in with a password, which has to be changed first. */
export async function createUser(name: string, role: string, password: string): Promise<void> {
  await send('POST', 'users', { name, role, password });
}

export async function removeUser(name: string): Promise<void> {
  await send('DELETE', `users/${name}`);
}

async function send(method: string, path: string, body?: unknown): Promise<void> {
  const response = await request(method, path, body);
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
}

function request(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${environment.adminUrl()}/api/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${environment.token()}`, 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}
